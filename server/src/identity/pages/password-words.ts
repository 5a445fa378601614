// The sentences about passwords, for every page where a person chooses one.
import type { ChosenPasswordFault } from '../factors/change-factors.ts';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../rules/password.ts';

export const PASSWORD_HINT = `At least ${PASSWORD_LENGTH_MIN} characters. A few words in a row are easy to remember and hard to guess.`;

export const PASSWORD_FAULTS: Readonly<Record<ChosenPasswordFault, string>> = {
  'too-short': `Choose a password of at least ${PASSWORD_LENGTH_MIN} characters.`,
  'too-long': `Choose a password of at most ${PASSWORD_LENGTH_MAX} characters.`,
  'too-simple': 'This password is too easy to guess: it repeats itself or is a sequence. Choose another one.',
  'like-email': 'This password is too close to your e-mail address. Choose another one.',
  breached:
    'This password is in a list of stolen passwords. Choose another one, and change it everywhere else you use it.',
};
