// The names people are drawn from. Order and length are part of the draw: changing a list changes every person.
const WOMEN = `Ada Agnes Alys Amara Anwen Aoife Astrid Beth Bronwen Cara Carys Ceridwen Clara Dilys Edith Effie Eira Elsie
Esme Fatima Fern Fiona Freya Gwen Hana Hazel Heledd Ines Iona Isla Ivy Joan Kezia Leila Lowri Mabel Maeve Mair Mina Morag
Nadia Nell Nesta Nia Niamh Olwen Orla Petra Priya Rhian Rosa Ruth Sabira Seren Shona Siân Tamsin Thea Una Wanda Wren Yasmin
Zara Zoë`;

const MEN = `Aidan Alun Amir Angus Arlo Arthur Asa Barnaby Bryn Callum Cedric Cormac Dafydd Dewi Dougal Edwin Elgan Emrys
Euan Ewan Farid Fergus Fraser Gareth Gethin Glyn Hamish Haroon Hugh Huw Idris Ifan Imran Iolo Ivor Jago Joel Jon Kofi Lachlan
Leif Lloyd Magnus Miles Mostyn Ned Nial Odhran Olaf Omar Osian Owen Perran Piers Ravi Rhodri Rory Rufus Ruaridh Samir Struan
Tariq Tomos Wyn`;

const FAMILIES = `Abercorn Adlington Ainsdale Alden Allerby Amberley Applegarth Arkendale Ashgrove Askham Auchter Aysgarth
Baldersby Barrowfield Beckwith Bellingbrook Berrywood Birkdale Blakesley Bramhope Brankholme Brathay Brightmore Broadbank
Buckden Caldbeck Calverdale Carrick-Moor Castlehow Chantry Clavering Cloughton Coldstream Copperwheat Corbridge Cotterdale
Cranswick Crosthwaite Culdrose Dalewood Danby Dearham Deepdale Denholme Drayburn Dunholme Eastwick Edgcott Elderfield Ellerbeck
Embleton Eskdale Etherington Everthorpe Fairweather Farndale Featherby Fellbrigg Fernyhough Fewston Flaxby Fordham-Gill Foxholes
Fylingdale Galphay Garsdale Gatenby Gillamoor Glaisdale Goathland Grassing Greenhow Grimwith Grisedale Guisely Hackfall
Hardraw Harewell Hartwith Hawkshaw Heathfield Hebblewhite Hetherwick Holmfirth Hornsea Hubberholm Hutton-Bell Ingleby Inskip
Jervaulx Keasden Keldholme Kettlewell Kilnsey Kirkdale Knapton Langbar Lastingham Levisham Lindley-Ross Linton Littondale
Lowgill MacAra Malham Marrick Marske Masham Melmerby Middlesmoor Mossdale Muker Newbiggin Nidder Norwood Nunwick O'Dell
O'Farren Oughtershaw Oxnop Pateley Penhill Pickhill Plumpton Quernmore Raskelf Rathmell Ravenser Redmire Ribblehead Rievaulx
Roseberry Rosedale Runswick Rylstone Saltersgate Sandsend Sawley Scargill Semerdale Settlebeck Silpho Skelldale Skipwith
Sleightholme Smelthouse Snilesworth Spofforth St-Aubyn Stainburn Stonebeck Summerbridge Swainby Swinside Tanfield Thixendale
Thoralby Thornwath Thwaite Topcliffe Turnbrook Ugthorpe Upleatham Walden-Head Warthill Wensley Westerdale Whashton Whernside
Widdale Winterburn Wykeham Yockenthwaite`;

const list = (text: string) => text.split(/\s+/);

export type Forename = { readonly name: string; readonly gender: 'F' | 'M' };

const forenamesOf = (names: string, gender: 'F' | 'M'): Forename[] => list(names).map((name) => ({ name, gender }));

export const FORENAMES: readonly Forename[] = [...forenamesOf(WOMEN, 'F'), ...forenamesOf(MEN, 'M')];
export const FAMILY_NAMES: readonly string[] = list(FAMILIES);

/** How a bureau compares names: without case, accents, spaces or punctuation. */
export const foldName = (name: string) =>
  name
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z]/g, '');

/** Upper case without accents, as two of the bureaus write. */
export const capitals = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase();
