// A DNS server as a process of its own: answers A and AAAA questions over UDP with what the test told it over IPC. The
// answers of a name may change from question to question, as those of an attacker do. TTL 0, so that nobody remembers.
import { createSocket } from 'node:dgram';

/** For each question the next list of addresses; the last one stays. `cname` comes before the addresses. */
export type DnsRule = {
  readonly name: string;
  readonly a?: readonly (readonly string[])[];
  readonly aaaa?: readonly (readonly string[])[];
  readonly cname?: string;
};

const [TYPE_A, TYPE_CNAME, TYPE_AAAA] = [1, 5, 28] as const;
const NAME_ERROR = 3;
const rules = new Map<string, DnsRule>();
const asked = new Map<string, number>();

const bytesOf = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label)])),
    Buffer.of(0),
  ]);

function addressBytes(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  // Through the URL parser: it writes an IPv4 tail as groups.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const groups = (text: string) => text.split(':').filter(Boolean);
  const [left, right] = [groups(head), groups(tail ?? '')];
  const all = [...left, ...Array<string>(tail === undefined ? 0 : 8 - left.length - right.length).fill('0'), ...right];
  const bytes = Buffer.alloc(16);
  for (const [index, group] of all.entries()) bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2);
  return bytes;
}

function record(name: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([bytesOf(name), fixed, data]);
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.subarray(at + 1, at + 1 + length).toString());
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function answersOf(name: string, type: number): Buffer[] | undefined {
  const rule = rules.get(name);
  if (!rule) return undefined;
  const lists = (type === TYPE_A ? rule.a : type === TYPE_AAAA ? rule.aaaa : undefined) ?? [];
  const key = `${name} ${type}`;
  const place = asked.get(key) ?? 0;
  asked.set(key, place + 1);
  const owner = rule.cname ?? name;
  const alias = rule.cname ? [record(name, TYPE_CNAME, bytesOf(rule.cname))] : [];
  const addresses = lists[Math.min(place, lists.length - 1)] ?? [];
  return [...alias, ...addresses.map((address) => record(owner, type, addressBytes(address)))];
}

const socket = createSocket('udp4');
socket.on('message', (message, from) => {
  const { name, type, end } = readQuestion(message);
  const answers = answersOf(name, type);
  const header = Buffer.alloc(12);
  header.writeUInt16BE(message.readUInt16BE(0), 0);
  header.writeUInt16BE(0x8180 | (answers ? 0 : NAME_ERROR), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers?.length ?? 0, 6);
  socket.send(Buffer.concat([header, message.subarray(12, end), ...(answers ?? [])]), from.port, from.address);
});
socket.bind(0, '127.0.0.1', () => process.send?.({ port: socket.address().port }));

process.on('message', (rule: DnsRule) => {
  rules.set(rule.name, rule);
  process.send?.({ set: rule.name });
});
process.on('disconnect', () => process.exit(0));
