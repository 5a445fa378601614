// Copies the parts of a body that its schema names, before validation: validation may rewrite the copy, and the received
// body stays unchanged. The copy leaves out optional fields that are empty
// (docs/decisions/0164-input-as-people-send-it.md). The schema bounds the
// work: the copy does not descend into unnamed parts or into a list that is too long.
type Read = (value: unknown) => unknown;

type BodySchema = {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, BodySchema>>;
  readonly minProperties?: number;
  readonly items?: BodySchema;
  readonly maxItems?: number;
  readonly anyOf?: readonly BodySchema[];
  readonly 'x-blank'?: 'absent';
};

const isBlank = (value: unknown) => value === null || value === '';

function objectReader({ properties = {}, minProperties }: BodySchema): Read {
  const fields = Object.entries(properties).map(
    ([name, property]) => [name, property['x-blank'] === 'absent', createBodyReader(property)] as const,
  );
  // An object with no listed names (a public key), or with a minimum count of them, is validated as received.
  if (fields.length === 0 || minProperties !== undefined) return (value) => value;
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const given = value as Readonly<Record<string, unknown>>;
    const copy: Record<string, unknown> = {};
    for (const [name, mayBeBlank, read] of fields) {
      if (!Object.hasOwn(given, name) || (mayBeBlank && isBlank(given[name]))) continue;
      copy[name] = read(given[name]);
    }
    return copy;
  };
}

export function createBodyReader(schema: BodySchema): Read {
  const { type, items = {}, maxItems = 0 } = schema;
  if (type === 'object') return objectReader(schema);
  if (type === 'array') {
    const read = createBodyReader(items);
    return (value) => (Array.isArray(value) && value.length <= maxItems ? value.map(read) : value);
  }
  const inner = type === undefined ? schema.anyOf?.find((branch) => branch.type !== 'null') : undefined;
  return inner ? createBodyReader(inner) : (value) => value;
}
