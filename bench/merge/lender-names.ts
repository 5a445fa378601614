// How a bureau writes a lender: trading name, an alias, a former name, a sister brand; then the bureau's case and cut.
import type { AccountType, Bureau } from '@trefoil/contract';
import { type Lender, sistersOf } from './lenders.ts';
import type { Noise } from './noise.ts';
import type { Random } from './random.ts';

export const NAME_LIMIT: Readonly<Record<Bureau, number>> = { equifax: 26, experian: 40, transunion: 20 };

export type NameForm = 'trading' | 'alias' | 'former' | 'sister' | 'unregistered';
export type WrittenName = {
  readonly form: NameForm;
  readonly companyName: string;
  readonly otherCompanyNames: readonly string[];
};

function aliasOf(random: Random, lender: Lender): { form: NameForm; name: string } {
  if (lender.unregisteredStyle !== null && random.chance(50)) {
    return { form: 'unregistered', name: lender.unregisteredStyle };
  }
  const short = lender.legal.replace(/ Limited$/, ' Ltd').replace(/ plc$/, ' PLC');
  const forms = [lender.legal, lender.legal, short, `${lender.legal} T/A ${lender.trading}`, ...lender.aliases];
  return { form: 'alias', name: random.pick(forms) };
}

function chooseName(
  random: Random,
  lender: Lender,
  accountType: AccountType,
  noise: Noise,
): { form: NameForm; name: string } {
  const sisters = sistersOf(lender, accountType);
  if (sisters.length > 0 && random.chance(noise.nameSister)) {
    return { form: 'sister', name: random.pick(sisters).trading };
  }
  if (lender.formerNames.length > 0 && random.chance(noise.nameFormerWhereThereIsOne)) {
    return { form: 'former', name: random.pick(lender.formerNames) };
  }
  if (random.chance(noise.nameAlias)) return aliasOf(random, lender);
  return { form: 'trading', name: lender.trading };
}

/** Cuts as the bureau does; the adapter then trims, so a cut at a space leaves one character fewer. */
export function writeName(bureau: Bureau, name: string): string {
  const cased = bureau === 'transunion' ? name : name.toUpperCase();
  return cased.slice(0, NAME_LIMIT[bureau]).trimEnd();
}

export function lenderNameAt(
  random: Random,
  bureau: Bureau,
  { lender, accountType }: { lender: Lender; accountType: AccountType },
  noise: Noise,
): WrittenName {
  const { form, name } = chooseName(random, lender, accountType, noise);
  const swapped = random.chance(noise.nameAmpersandSwapped)
    ? name.includes('&')
      ? name.replace('&', 'and')
      : name.replace(/ and /i, ' & ')
    : name;
  const beside = bureau === 'transunion' && form !== 'sister' && random.chance(noise.legalNameBeside);
  const otherCompanyNames = beside ? [lender.legal, ...(random.chance(25) ? [lender.trading] : [])] : [];
  return { form, companyName: writeName(bureau, swapped), otherCompanyNames };
}
