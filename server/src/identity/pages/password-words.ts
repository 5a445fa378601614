// What people read about passwords, on every page where they choose one.
import type { ChosenPasswordFault } from '../proofs/change-proofs.ts';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../rules/password.ts';

export const PASSWORD_HINT = `At least ${PASSWORD_LENGTH_MIN} characters. A few words in a row are easy to remember and hard to guess.`;

export const PASSWORD_FAULTS: Readonly<Record<ChosenPasswordFault, string>> = {
  'too-short': `Choose a password of at least ${PASSWORD_LENGTH_MIN} characters.`,
  'too-long': `Choose a password of at most ${PASSWORD_LENGTH_MAX} characters.`,
  'too-simple': 'This password is too easy to guess: it repeats or counts. Choose another one.',
  'like-email': 'This password is too close to your e-mail address. Choose another one.',
  breached: 'This password is in a list of stolen ones. Choose another one, and change it wherever else you use it.',
};

/** How long somebody must wait, in words. */
export function waitWords(seconds: number): string {
  const count = Math.ceil(seconds / 60);
  return count === 1 ? 'one minute' : `${count} minutes`;
}
