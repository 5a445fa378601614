// The invented lenders: none has the name of a real firm. What each offers, its present and former names, its owner and
// the bureaus it reports to.
export type BureauName = 'albion' | 'beacon' | 'cygnet';

export type Sector =
  | 'bank'
  | 'building-society'
  | 'finance-house'
  | 'motor-finance'
  | 'card-issuer'
  | 'retailer'
  | 'mail-order'
  | 'telecoms'
  | 'utility'
  | 'insurer'
  | 'debt-purchaser'
  | 'credit-union'
  | 'public-sector';

export type Product =
  | 'hire-purchase'
  | 'lease'
  | 'personal-loan'
  | 'secured-loan'
  | 'student-loan'
  | 'home-credit'
  | 'credit-card'
  | 'store-card'
  | 'charge-card'
  | 'mail-order'
  | 'pay-later'
  | 'mortgage'
  | 'current-account'
  | 'basic-account'
  | 'mobile'
  | 'broadband'
  | 'energy'
  | 'water'
  | 'insurance'
  | 'rent';

export type Lender = {
  readonly id: string;
  readonly trading: string;
  readonly legal: string;
  readonly former: readonly string[];
  readonly group: string | null;
  readonly sector: Sector;
  readonly products: readonly Product[];
  /** Share of the market, relative to the others with the same product. */
  readonly weight: number;
  readonly reportsTo: readonly BureauName[];
};

const BUREAU_LETTERS = { A: 'albion', B: 'beacon', C: 'cygnet' } as const;

/** id | trading | legal | former; former | group | products | weight | bureaus */
const TABLE: Record<Sector, string> = {
  'motor-finance': `
brackenfell|Brackenfell Motor Finance|Brackenfell Motor Finance Limited|Brackenfell Car Credit|Brackenfell Group|hire-purchase lease|26|ABC
thornmere|Thornmere Drive|Thornmere Vehicle Finance (UK) Limited|Thornmere Contract Purchase||hire-purchase|18|ABC
wexcombe|Wexcombe Auto Credit|Wexcombe Auto Credit PLC|||hire-purchase|14|ABC
larkmoor|Larkmoor Car Finance|Larkmoor Asset Finance Limited|Larkmoor Autoloans|Larkmoor Holdings|hire-purchase|9|ABC
quillstone|Quillstone Mobility|Quillstone Mobility Services Limited||Quillstone Group|hire-purchase lease|7|AB
harrowgill|Harrowgill Wheels|Harrowgill Consumer Finance Limited|||hire-purchase|4|BC
ambersett|Ambersett Vehicle Solutions|Ambersett Financial Services Limited|Ambersett Motor Money||hire-purchase lease|6|ABC
dunmarrow|Dunmarrow Motor Credit|Dunmarrow Motor Credit Limited||Dunmarrow Bank Group|hire-purchase|3|AC
fennickvale|Fennick Vale Finance|Fennick Vale Finance Limited|||hire-purchase|3|ABC
oxterby|Oxterby Cars|Oxterby Retail Finance PLC|Oxterby Acceptances||hire-purchase|2|A
pellowdrive|Pellow Drive|Pellow Drive Finance Limited||Larkmoor Holdings|hire-purchase|2|ABC
ravenstoke|Ravenstoke Prestige|Ravenstoke Prestige Finance Limited|||hire-purchase lease|1|C
silverbeck|Silverbeck Motor Loans|Silverbeck Lending Limited|Silverbeck Wheels||hire-purchase personal-loan|2|B
tallowgate|Tallowgate Vehicle Leasing|Tallowgate Leasing Limited|||lease hire-purchase|1|ABC`,
  bank: `
kestrel|Kestrel Bank|Kestrel Bank PLC|||current-account basic-account credit-card personal-loan mortgage|16|ABC
dunmarrowbank|Dunmarrow Bank|Dunmarrow Bank PLC|Dunmarrow Savings Bank|Dunmarrow Bank Group|current-account credit-card personal-loan mortgage|12|ABC
hollinsworth|Hollinsworth|Hollinsworth and Company Bank PLC|||current-account credit-card personal-loan mortgage secured-loan|10|ABC
cairnwick|Cairnwick Bank|Bank of Cairnwick PLC|Cairnwick Trustee Savings||current-account basic-account credit-card personal-loan mortgage|8|ABC
pennyroyal|Pennyroyal|Pennyroyal Digital Bank Limited|||current-account personal-loan|6|AC
sandpiper|Sandpiper Direct|Cairnwick Direct Limited||Cairnwick|current-account credit-card personal-loan|5|ABC
ottermouth|Ottermouth Bank|Ottermouth Bank PLC|Ottermouth Trust||current-account mortgage personal-loan|4|AB
juniperone|Juniper One|Juniper One Bank Limited|||current-account credit-card|4|BC`,
  'building-society': `
ludforthbs|Ludforth Building Society|Ludforth Building Society|||mortgage current-account|8|ABC
eskmuirbs|Eskmuir Building Society|Eskmuir Building Society|Eskmuir and District||mortgage|5|ABC
wyddenbs|Wydden Mutual|Wydden Permanent Building Society|||mortgage secured-loan|3|AB`,
  'finance-house': `
marchbrook|Marchbrook Loans|Marchbrook Personal Finance Limited|||personal-loan secured-loan|8|ABC
tiverlane|Tiverlane|Tiverlane Lending Limited|Tiverlane Instant Loans||personal-loan|6|ABC
copperfinch|Copperfinch Finance|Copperfinch Point of Sale Finance Limited||Marchbrook|personal-loan hire-purchase|2|ABC
doorwell|Doorwell Credit|Doorwell Home Credit Limited|||home-credit|5|BC
gatepost|Gatepost Secured|Gatepost Mortgages (No 2) Limited|||secured-loan|5|AC
splitlee|Splitlee|Splitlee Payments UK Limited|||pay-later|8|BC
latertide|Latertide|Latertide Limited|||pay-later|5|C`,
  'card-issuer': `
marlpit|Marlpit Cards|Marlpit Card Services Limited|Marlpit Gold|Hollinsworth|credit-card|12|ABC
brightfold|Brightfold|Brightfold Credit Limited|||credit-card|9|ABC
tanagercard|Tanager Card|Tanager Card Europe Limited|||credit-card charge-card|7|ABC
osierone|Osier One|Osier Financial Products Limited|Osier Classic Card||credit-card|6|ABC
ferncliff|Ferncliff Card|Marlpit Card Services Limited||Hollinsworth|credit-card|5|ABC`,
  retailer: `
calloways|Calloway and Finch|Calloway and Finch Financial Services Limited|||store-card|8|ABC
harbrook|Harbrook Home|Tanager Retail Services Limited|||store-card|5|AB
wintersby|Wintersby|Wintersby Stores PLC|Wintersby Account||store-card|4|ABC`,
  'mail-order': `
larchlane|Larch Lane Catalogue|Larch Lane Home Shopping Limited|Larch Lane Club||mail-order|8|ABC
velvetpost|Velvet Post|Velvet Post Direct Limited||Larch Lane|mail-order|5|AB`,
  telecoms: `
heliotel|Heliotel|Heliotel UK Limited|Helio Mobile||mobile broadband|9|ABC
fourwinds|Four Winds Mobile|Four Winds Communications Limited|||mobile|8|ABC
skerrynet|Skerry Broadband|Skerry Networks PLC|||broadband|6|ABC
pipit|Pipit Mobile|Heliotel UK Limited||Heliotel|mobile|5|AC`,
  utility: `
brightwater|Brightwater Energy|Brightwater Energy Supply Limited|||energy|8|ABC
northvoe|Northvoe Power|Northvoe Power PLC|Northvoe Hydro||energy|6|AB
luddwater|Ludd Valley Water|Ludd Valley Water Services Limited|||water|6|ABC
tidemark|Tidemark Water|Tidemark Water PLC|||water|4|BC`,
  insurer: `
anchorlea|Anchorlea Insurance|Anchorlea General Insurance Limited|||insurance|6|ABC
motewell|Motewell|Motewell Premium Credit Limited|||insurance|5|BC`,
  'debt-purchaser': `
grayling|Grayling Recoveries|Grayling Portfolio (Eta) Limited|||credit-card|6|ABC
stonecrop|Stonecrop Debt Solutions|Stonecrop UK Purchasing Limited|Stonecrop Collections||credit-card|5|ABC
millrace|Millrace Capital|Millrace Capital Europe Limited|||credit-card|3|BC`,
  'credit-union': `
ludforthcu|Ludforth Credit Union|Ludforth and District Credit Union Limited|||personal-loan|2|AB
harbourcu|Harbour Savers|Harbour Savers Credit Union Limited|||personal-loan|1|C`,
  'public-sector': `
studentfund|Student Support Fund|Student Support Fund Authority|||student-loan|1|ABC
wyddenhomes|Wydden Homes|Wydden Valley Housing Authority|||rent|3|BC
eskmuirlets|Eskmuir Lets|Eskmuir Social Lettings Limited|||rent|2|C`,
};

function parse(sector: Sector, line: string): Lender {
  const [id = '', trading = '', legal = '', former = '', group = '', products = '', weight = '', letters = ''] =
    line.split('|');
  return {
    id,
    trading,
    legal,
    former: former ? former.split(';') : [],
    group: group || null,
    sector,
    products: products.split(' ') as Product[],
    weight: Number(weight),
    reportsTo: [...letters].map((letter) => BUREAU_LETTERS[letter as 'A' | 'B' | 'C']),
  };
}

export const LENDERS: readonly Lender[] = Object.entries(TABLE).flatMap(([sector, rows]) =>
  rows
    .trim()
    .split('\n')
    .map((line) => parse(sector as Sector, line)),
);

const BY_PRODUCT = new Map<Product, Lender[]>();
for (const lender of LENDERS.filter(({ sector }) => sector !== 'debt-purchaser')) {
  for (const product of lender.products) {
    BY_PRODUCT.set(product, [...(BY_PRODUCT.get(product) ?? []), lender]);
  }
}

/** The lenders of a product with their weights. Debt purchasers lend nothing and are not included. */
export function lendersOf(product: Product): readonly (readonly [Lender, number])[] {
  return (BY_PRODUCT.get(product) ?? []).map((lender) => [lender, lender.weight] as const);
}

export const DEBT_PURCHASERS: readonly Lender[] = LENDERS.filter(({ sector }) => sector === 'debt-purchaser');
