// Ctrl K or ⌘ K: go to a page, or find a report by its whole reference.
import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { CornerDownLeft, FileText, Search } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { api } from '../api/client.ts';
import { useCompany } from '../api/company.ts';
import { formatFull } from '../format/time.ts';
import { STATUSES } from '../format/words.ts';
import { isOfMode, PLACES, type Place } from './navigation.ts';
import styles from './palette.module.css';

type Item = {
  readonly value: string;
  readonly label: string;
  readonly note: string;
  readonly icon: ReactNode;
  readonly go: () => void;
};
type Group = { readonly value: string; readonly items: readonly Item[] };

/** Each search is a line of the audit log, so a search waits until the person has stopped typing. */
const PAUSE_MS = 350;
const REFERENCE_MIN = 3;

const LABEL = 'Go to a page, or find a report by its whole reference';

function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

function useReports(tenantId: string, wanted: string) {
  const reference = usePaused(wanted);
  const reports = useQuery({
    queryKey: [tenantId, 'palette', reference],
    enabled: reference.length >= REFERENCE_MIN,
    queryFn: async ({ signal }) =>
      (await api(tenantId).listReports({ externalReference: reference, limit: 5 }, { signal })).data.items,
  });
  // What was found belongs to what was typed then, not to what is typed now.
  return reference === wanted ? (reports.data ?? []) : [];
}

const fits = ({ label, words }: Place, wanted: string) => `${label} ${words}`.toLowerCase().includes(wanted);

function useGroups(wanted: string): readonly Group[] {
  const { id: tenantId, may } = useCompany();
  const navigate = useNavigate();
  const { mode = 'live' } = useSearch({ from: '/$tenantId' });
  const found = useReports(tenantId, wanted);
  const places = PLACES.flatMap((group) => group.places)
    .filter((place) => may(place.scope) && isOfMode(place, mode) && fits(place, wanted.toLowerCase()))
    .map((place) => ({
      value: place.label,
      label: place.label,
      note: '',
      icon: <place.icon size={16} aria-hidden />,
      go: () => ('to' in place ? void navigate({ to: place.to, params: { tenantId } }) : location.assign(place.href)),
    }));
  const reports = found.map(({ creditReportId, status, createdAt, test }) => ({
    value: creditReportId,
    label: wanted,
    note: `${STATUSES[status].label}, ${test ? 'test, ' : ''}${formatFull(createdAt)}`,
    icon: <FileText size={16} aria-hidden />,
    go: () =>
      void navigate({
        to: '/$tenantId/reports/$reportId',
        params: { tenantId, reportId: creditReportId },
        search: { mode: test ? 'test' : undefined },
      }),
  }));
  const groups = [
    { value: 'Reports', items: reports },
    { value: 'Go to', items: places },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [isChosen, setChosen] = useState(false);
  const [isOpen, setOpen] = useState(true);
  const wanted = text.trim();
  const groups = useGroups(wanted);
  const choose = (item: Item) => {
    setChosen(true);
    setOpen(false);
    item.go();
  };
  return (
    <Dialog.Root
      open={isOpen}
      onOpenChange={setOpen}
      onOpenChangeComplete={(isStillOpen) => {
        if (!isStillOpen) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        {/* After a choice the new page has the focus: its own attempt fails while this is open. */}
        <Dialog.Popup
          className={styles.palette}
          aria-label="Search"
          finalFocus={() => (isChosen ? (document.querySelector<HTMLElement>('main h1') ?? false) : true)}
        >
          <Autocomplete.Root
            open
            inline
            items={groups}
            filter={null}
            value={text}
            onValueChange={setText}
            autoHighlight="always"
            keepHighlight
            itemToStringValue={(item: Item) => item.label}
          >
            <div className={styles.field}>
              <Search size={17} aria-hidden />
              <Autocomplete.Input
                placeholder="A page, or a whole reference"
                aria-label={LABEL}
                className={styles.input}
              />
            </div>
            {groups.length === 0 && (
              <p className={styles.none} role="status">
                Nothing found for “{wanted}”. References are matched whole.
              </p>
            )}
            <Autocomplete.List className={styles.list}>
              {(group: Group) => (
                <Autocomplete.Group key={group.value} items={group.items}>
                  <Autocomplete.GroupLabel className={styles.groupTitle}>{group.value}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(item: Item) => (
                      <Autocomplete.Item
                        key={item.value}
                        value={item}
                        className={styles.item}
                        onClick={() => choose(item)}
                      >
                        {item.icon}
                        <span>{item.label}</span>
                        {item.note && <small>{item.note}</small>}
                        <CornerDownLeft size={14} aria-hidden className={styles.enter} />
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
