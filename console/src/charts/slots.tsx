// A day in half hours, each by the share that was answered. For eyes; the same figures stand in a table for screen readers.
import { formatTime } from '../format/time.ts';
import styles from './charts.module.css';

export type Slot = { readonly startsAt: string; readonly asked: number; readonly answered: number };

/** The API calls a bureau steady from nine of ten answers on, and failing below half. */
function stateOf({ asked, answered }: Slot): string {
  if (asked === 0) return 'unasked';
  const share = answered / asked;
  return share >= 0.9 ? 'full' : share >= 0.5 ? 'part' : 'none';
}

const wordsOf = ({ asked, answered }: Slot) => (asked === 0 ? 'not asked' : `${answered} of ${asked} answered`);

export function Slots({ slots, caption }: { readonly slots: readonly Slot[]; readonly caption: string }) {
  return (
    <div>
      <div className={styles.slots} aria-hidden="true">
        {slots.map((slot) => (
          <span
            key={slot.startsAt}
            className={styles.slot}
            data-state={stateOf(slot)}
            title={`From ${formatTime(slot.startsAt)}: ${wordsOf(slot)}`}
          />
        ))}
      </div>
      <div className="visually-hidden">
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">Answered</th>
            </tr>
          </thead>
          <tbody>
            {slots
              .filter(({ asked }) => asked > 0)
              .map((slot) => (
                <tr key={slot.startsAt}>
                  <th scope="row">{formatTime(slot.startsAt)}</th>
                  <td>{wordsOf(slot)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
