// What we asked, as far as a reply must agree with it. A file under another enquiry id or another birth date is somebody
// else's, and is not shown to anybody.
import { unintelligible } from './bureau-fault.ts';
import type { Enquiry } from './port.ts';

export type Asked = { readonly enquiryId: string; readonly dateOfBirth: string };

export function toAsked({ enquiryId, consumer }: Enquiry): Asked {
  return { enquiryId, dateOfBirth: consumer.dateOfBirth };
}

export function checkEnquiryId(asked: Asked, echoed: unknown): void {
  if (echoed !== asked.enquiryId) unintelligible('the answer to another enquiry');
}

export function checkDateOfBirth(asked: Asked, dateOfBirth: unknown): void {
  if (dateOfBirth !== asked.dateOfBirth) unintelligible('the file of another person');
}
