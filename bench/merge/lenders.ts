// The benchmark's own invented lenders and the registry that a deployment would have for them. No name is a real firm's.
// The three largest hold 57 % of hire purchase. Some names share their first words, so that a cut makes them equal.
import type { AccountType, CompanyType } from '@trefoil/contract';

/** The form of the matcher's registry. */
export type RegistryEntry = {
  readonly id: string;
  readonly trading: string;
  readonly legal: string;
  readonly aliases: readonly string[];
  readonly formerNames: readonly string[];
  readonly group: string | null;
  readonly companyType: CompanyType;
};

export type Lender = RegistryEntry & {
  /** Share of each product, in tenths of a per cent for hire purchase and any scale for the others. */
  readonly sells: Partial<Record<AccountType, number>>;
  /** A trading style that some bureaus use and the registry does not know. */
  readonly unregisteredStyle: string | null;
};

type More = { aliases?: string[]; former?: string[]; group?: string; style?: string };

function lender(
  [id, trading, legal]: readonly [string, string, string],
  companyType: CompanyType,
  sells: Partial<Record<AccountType, number>>,
  { aliases = [], former = [], group, style }: More = {},
): Lender {
  return {
    ...{ id, trading, legal, aliases, formerNames: former, group: group ?? null },
    ...{ companyType, sells, unregisteredStyle: style ?? null },
  };
}

const motor = (names: readonly [string, string, string], share: number, more?: More) =>
  lender(names, 'motor-finance', { 'hire-purchase': share }, more);

// biome-ignore format: one lender to an entry, its names on the first line, reads best as a table
export const LENDERS: readonly Lender[] = [
  // The three that hold 57 % of hire purchase.
  motor(['brackenfell', 'Brackenfell Motor Finance', 'Brackenfell Motor Finance Limited'], 240,
    { aliases: ['Brackenfell Drive', 'BMF Finance'], former: ['Colderidge Motor Credit'], group: 'brackenfell' }),
  motor(['tarnwick', 'Tarnwick Car Finance', 'Tarnwick Automotive Financial Services (UK) Limited'], 190,
    { aliases: ['Tarnwick Select'], former: ['Sorrelgate Autofinance', 'Sorrelgate Automotive Finance Limited'] }),
  motor(['quillstone', 'Quillstone Vehicle Finance', 'Quillstone Consumer Credit plc'], 140,
    { aliases: ['Quillstone Car Credit'], former: ['Merrowdale Vehicle Finance'], group: 'quillstone' }),
  // The other 43 %.
  motor(['northmere-solutions', 'Northmere Vehicle Finance Solutions', 'Northmere Vehicle Finance Solutions Limited'], 40,
    { former: ['Northmere Contract Finance'] }),
  motor(['northmere-scotland', 'Northmere Vehicle Finance Scotland', 'Northmere Vehicle Finance (Scotland) Limited'], 20),
  motor(['larkmoor', 'Larkmoor Motor Finance', 'Larkmoor Finance Limited'], 40,
    { former: ['Kittering Motor Finance'], group: 'larkmoor' }),
  motor(['saltershaw', 'Saltershaw Automotive Finance', 'Saltershaw Automotive Finance Limited'], 40,
    { aliases: ['Saltershaw Drive'], former: ['Saltershaw Garage Credit'], group: 'larkmoor' }),
  motor(['ottermoor', 'Ottermoor Autofinance', 'Ottermoor Autofinance plc'], 30, { former: ['Pikewell Car Loans'] }),
  motor(['thistlecombe', 'Thistlecombe Car Credit', 'Thistlecombe Credit Limited'], 30,
    { aliases: ['Thistlecombe Cars'], former: ['Westrigg Car Credit'] }),
  motor(['harrowmead-motor', 'Harrowmead Motor Finance', 'Harrowmead Asset Finance Limited'], 30,
    { former: ['Harrowmead & Dale Motor Credit'], group: 'harrowmead' }),
  motor(['underhay', 'Underhay Motor Loans', 'Underhay Motor Loans Limited'], 25, { former: ['Underhay Credit'] }),
  motor(['varrowby', 'Varrowby Prestige Finance', 'Varrowby Prestige Finance Limited'], 20,
    { aliases: ['VPF'], former: ['Gadbrook Prestige'] }),
  motor(['wintlesham', 'Wintlesham Personal Contract Plans', 'Wintlesham Contract Plans Limited'], 20,
    { former: ['Wintlesham Leasing'] }),
  motor(['yarncliffe', 'Yarncliffe Drive', 'Yarncliffe Motor Finance Limited'], 20,
    { former: ['Yarncliffe Hire Purchase'], style: 'Yarncliffe Easy Motoring' }),
  motor(['greyloch', 'Greyloch Finance', 'Greyloch Finance Company Limited'], 20, { former: ['Ninefold Finance'] }),
  motor(['ambershaw', 'Ambershaw Vehicle Credit', 'Ambershaw Vehicle Credit Limited'], 15),
  motor(['dunmoss', 'Dunmoss Motorcycle Finance', 'Dunmoss Finance Limited'], 10, { former: ['Twinspar Finance'] }),
  lender(['fenmarrow', 'Fenmarrow Contract Hire & Finance', 'Fenmarrow Contract Hire and Finance Limited'], 'finance-house',
    { 'hire-purchase': 15, lease: 60 }, { former: ['Fenmarrow Fleet'] }),
  lender(['ludforth-leasing', 'Ludforth Leasing', 'Ludforth Leasing Limited'], 'finance-house',
    { 'hire-purchase': 10, lease: 40 }),
  lender(['pellgate', 'Pellgate Asset Finance', 'Pellgate Asset Finance Limited'], 'finance-house',
    { 'hire-purchase': 25, 'personal-loan': 60 }, { aliases: ['Pellgate Finance'], former: ['Copsewell Asset Finance'] }),
  // Banks and building societies.
  lender(['easterlow', 'Easterlow Bank', 'Easterlow Bank plc'], 'bank',
    { 'hire-purchase': 20, 'current-account': 200, 'personal-loan': 150, mortgage: 120, 'credit-card': 90 },
    { aliases: ['Easterlow'], former: ['Easterlow Savings Bank'] }),
  lender(['harrowmead-bank', 'Harrowmead Bank', 'Harrowmead Bank plc'], 'bank',
    { 'current-account': 220, 'personal-loan': 160, mortgage: 140, 'credit-card': 120 },
    { aliases: ['Harrowmead'], former: ['Harrowmead & Dale Bank'], group: 'harrowmead' }),
  lender(['kestrelmoor', 'Kestrelmoor Bank', 'Kestrelmoor Bank plc'], 'bank',
    { 'current-account': 160, 'personal-loan': 110, mortgage: 90, 'credit-card': 80 }, { former: ['Dovemoor Bank'] }),
  lender(['wetherloom', 'Wetherloom Bank', 'Wetherloom Bank plc'], 'bank',
    { 'current-account': 140, 'personal-loan': 90, mortgage: 60, 'credit-card': 60 }),
  lender(['corveside', 'Corveside Bank', 'Corveside Bank UK plc'], 'bank',
    { 'current-account': 120, 'personal-loan': 80, 'credit-card': 60 }, { former: ['Corve Mutual'], group: 'corveside' }),
  lender(['corveside-direct', 'Corveside Direct', 'Corveside Direct Limited'], 'bank',
    { 'current-account': 60, 'personal-loan': 60, 'credit-card': 40 }, { former: ['Dialbank'], group: 'corveside' }),
  lender(['tidewell', 'Tidewell Building Society', 'Tidewell Building Society'], 'building-society',
    { mortgage: 130, 'current-account': 60 }, { former: ['Tidewell and Orme Building Society'] }),
  lender(['marlhope', 'Marlhope Building Society', 'Marlhope Building Society'], 'building-society',
    { mortgage: 90 }, { aliases: ['The Marlhope'] }),
  lender(['stonebeck', 'Stonebeck Building Society', 'Stonebeck Building Society'], 'building-society',
    { mortgage: 60, 'current-account': 20 }, { former: ['Stonebeck Permanent Building Society'] }),
  // Card issuers; the Trellisford group has three brands, each its own legal entity.
  lender(['pennarth', 'Pennarth Card Services', 'Pennarth Bank (Cards) Limited'], 'credit-card-issuer',
    { 'credit-card': 130, 'charge-card': 30 }, { aliases: ['Pennarth Gold'], former: ['Ivelet Card Services'] }),
  lender(['trellisford', 'Trellisford Card', 'Trellisford Bank plc'], 'credit-card-issuer',
    { 'credit-card': 110 }, { former: ['Trellis Credit'], group: 'trellisford' }),
  lender(['bluefern', 'Bluefern Card', 'Bluefern Card Services Limited'], 'credit-card-issuer',
    { 'credit-card': 80 }, { aliases: ['Bluefern'], former: ['Plainfern Card'], group: 'trellisford' }),
  lender(['hazelmarch', 'Hazelmarch Card', 'Hazelmarch Card Services Limited'], 'credit-card-issuer',
    { 'credit-card': 60 }, { group: 'trellisford' }),
  lender(['oakhollow-cards', 'Oakhollow Credit Cards', 'Oakhollow Credit Cards Limited'], 'credit-card-issuer',
    { 'credit-card': 70 }, { former: ['Acornbank Cards'] }),
  lender(['oakhollow-corp', 'Oakhollow Credit Corporation', 'Oakhollow Credit Corporation Limited'], 'finance-house',
    { 'credit-card': 30, 'personal-loan': 50 }, { former: ['Oakhollow Discount Company'] }),
  lender(['silverlode', 'Silverlode Card', 'Silverlode Financial Services Limited'], 'credit-card-issuer',
    { 'credit-card': 60 }, { former: ['Leadmine Card'], style: 'Everyday Rewards Card' }),
  lender(['vantreeve', 'Vantreeve Card', 'Vantreeve Europe Limited'], 'credit-card-issuer',
    { 'credit-card': 50, 'charge-card': 40 }, { aliases: ['Vantreeve Platinum'] }),
  // Loans.
  lender(['ridgelow', 'Ridgelow Personal Finance', 'Ridgelow Personal Finance Limited'], 'finance-house',
    { 'personal-loan': 100 }, { former: ['Ridgelow Cash Loans'] }),
  lender(['swiftmere', 'Swiftmere Loans', 'Swiftmere Lending Limited'], 'finance-house',
    { 'personal-loan': 90 }, { aliases: ['Swiftmere'], former: ['Tillbrook Loans'] }),
  lender(['birkenhow', 'Birkenhow Lending', 'Birkenhow Lending Limited'], 'finance-house', { 'personal-loan': 60 },
    { former: ['Birkenhow Money'] }),
  lender(['castlenook', 'Castlenook Secured Lending', 'Castlenook Secured Lending Limited'], 'finance-house',
    { 'secured-loan': 100 }, { former: ['Moatside Home Loans'] }),
  lender(['hollowmere', 'Hollowmere Home Loans', 'Hollowmere Finance Limited'], 'finance-house', { 'secured-loan': 70 }),
  lender(['ludforth-union', 'Ludforth Community Credit Union', 'Ludforth Community Credit Union Limited'], 'credit-union',
    { 'personal-loan': 30 }, { former: ['Ludforth Workers Credit Union'] }),
  lender(['scholars', 'Scholars Finance Agency', 'Scholars Finance Agency'], 'public-sector', { 'student-loan': 100 }),
  lender(['homefold', 'Homefold Credit', 'Homefold Credit Limited'], 'finance-house', { 'home-credit': 100 },
    { former: ['Homefold Weekly'] }),
  lender(['lampwick', 'Lampwick Doorstep Credit', 'Lampwick Credit Limited'], 'finance-house', { 'home-credit': 60 }),
  // Shops, catalogues, pay later.
  lender(['fernley', 'Fernley & Dace', 'Fernley and Dace Home Shopping Limited'], 'mail-order', { 'mail-order': 120 },
    { aliases: ['F&D Catalogue'], former: ['Fernley Brothers'] }),
  lender(['applegarth', 'Applegarth Home Shopping', 'Applegarth Retail Finance Limited'], 'mail-order',
    { 'mail-order': 90 }, { former: ['Applegarth Catalogue'] }),
  lender(['dunlin', 'Dunlin & Moss Stores', 'Dunlin and Moss Stores plc'], 'retailer', { 'store-card': 100 },
    { former: ['Dunlin Drapers'] }),
  lender(['copperlathe', 'Copperlathe Stores', 'Copperlathe Stores Limited'], 'retailer', { 'store-card': 70 }),
  lender(['splitberry', 'Splitberry', 'Splitberry Payments Limited'], 'finance-house', { 'buy-now-pay-later': 100 }),
  lender(['paceford', 'Paceford Pay', 'Paceford Pay Limited'], 'finance-house', { 'buy-now-pay-later': 60 },
    { former: ['Paceford Instalments'] }),
  // Services.
  lender(['larkwave', 'Larkwave Mobile', 'Larkwave Mobile UK Limited'], 'telecoms', { communications: 120 },
    { aliases: ['Larkwave'], former: ['Onepip Mobile'] }),
  lender(['pollenet', 'Pollenet Broadband', 'Pollenet Limited'], 'telecoms', { communications: 90 },
    { former: ['Hivewire Broadband'] }),
  lender(['voxmere', 'Voxmere', 'Voxmere Communications plc'], 'telecoms', { communications: 100 },
    { former: ['Vox Telephone Company'] }),
  lender(['tallpine', 'Tallpine Telecom', 'Tallpine Telecom Limited'], 'telecoms', { communications: 60 }),
  lender(['brightfen', 'Brightfen Energy', 'Brightfen Energy Supply Limited'], 'utility', { utility: 110 },
    { former: ['Fenland Light and Power'] }),
  lender(['gorsewind', 'Gorsewind Power', 'Gorsewind Power Limited'], 'utility', { utility: 80 },
    { former: ['Gorse Electric'] }),
  lender(['wharfwater', 'Wharfwater', 'Wharfwater Utilities plc'], 'utility', { utility: 90 }),
  lender(['saffronwell', 'Saffronwell Insurance', 'Saffronwell Premium Credit Limited'], 'insurer', { insurance: 100 },
    { former: ['Saffron Mutual'] }),
  lender(['tolbury', 'Tolbury Insurance', 'Tolbury Insurance Services Limited'], 'insurer', { insurance: 70 }),
  // Debt purchasers sell nothing: their records follow another lender's default.
  lender(['ravelin', 'Ravelin Recoveries', 'Ravelin Recoveries Limited'], 'debt-purchaser', {},
    { former: ['Bastion Collections'] }),
  lender(['ashquay', 'Ashquay Portfolio', 'Ashquay Portfolio Limited'], 'debt-purchaser', {}),
  lender(['ashquay-three', 'Ashquay Portfolio Three', 'Ashquay Portfolio 3 Limited'], 'debt-purchaser', {}),
  lender(['lorncliffe', 'Lorncliffe Debt Purchase', 'Lorncliffe Investments Limited'], 'debt-purchaser', {},
    { former: ['Lorn Receivables'] }),
];

/** The matcher's input: the names that a deployment knows, without the unregistered styles. */
export const REGISTRY: readonly RegistryEntry[] = LENDERS.map(
  ({ id, trading, legal, aliases, formerNames, group, companyType }) => ({
    ...{ id, trading, legal, aliases, formerNames, group, companyType },
  }),
);

export const DEBT_PURCHASERS = LENDERS.filter(({ companyType }) => companyType === 'debt-purchaser');

export function lendersSelling(accountType: AccountType): readonly Lender[] {
  return LENDERS.filter(({ sells }) => sells[accountType] !== undefined);
}

/** Other brands of the same group that sell the same product; empty for a lender without a group. */
export function sistersOf(one: Lender, accountType: AccountType): readonly Lender[] {
  if (one.group === null) return [];
  return LENDERS.filter(
    ({ id, group, sells }) => group === one.group && id !== one.id && sells[accountType] !== undefined,
  );
}

export function lenderById(id: string): Lender {
  const found = LENDERS.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no lender ${id}`);
  return found;
}
