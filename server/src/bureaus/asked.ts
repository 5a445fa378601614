// The parts of our enquiry that a reply must match. A file with another enquiry id or another birth date belongs to another
// person, and is never shown.
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
