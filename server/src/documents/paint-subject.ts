// What is held of a person as a PDF.
import type { Painter } from './painter.ts';
import type { SubjectCopy } from './view/subject-view.ts';

/** As for a statement: several reports take longer than one. A tenant has two at a time. */
const SUBJECT_PLACES = 5;

/** `read` runs once there is a place for the document. */
export type PaintSubject = (tenantId: string, read: () => Promise<SubjectCopy>) => Promise<Buffer>;

export const createPaintSubject =
  (painter: Pick<Painter, 'withPlace'>): PaintSubject =>
  (tenantId, read) =>
    painter.withPlace(
      tenantId,
      async (paint) => {
        const painted = await paint({ subject: await read(), format: 'pdf' });
        return Buffer.from(painted.buffer, painted.byteOffset, painted.byteLength);
      },
      SUBJECT_PLACES,
    );
