// The types of events to choose from, in their groups; with the groups themselves where they can be looked for.
import { EVENT_GROUPS, EVENT_TYPES } from '../format/event-words.ts';

export const EventTypeOptions = ({ hasGroups = false }: { readonly hasGroups?: boolean }) =>
  EVENT_GROUPS.map(({ prefix, title, types }) => (
    <optgroup key={prefix} label={title}>
      {hasGroups && <option value={prefix}>All of {title.toLowerCase()}</option>}
      {types.map((type) => (
        <option key={type} value={type}>
          {EVENT_TYPES[type]}
        </option>
      ))}
    </optgroup>
  ));
