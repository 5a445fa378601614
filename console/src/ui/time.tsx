// A time in London, with zone and UTC in its hint.
import { describeTime, formatFull, formatTime } from '../format/time.ts';

export function Time({ at, isFull = false }: { readonly at: string; readonly isFull?: boolean }) {
  return (
    <time dateTime={at} title={describeTime(at)} className="nowrap">
      {isFull ? formatFull(at) : formatTime(at)}
    </time>
  );
}
