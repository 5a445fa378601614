// Responses, headers, parameters and examples that the document has more than once become components, and references to them. It
// compares what was generated, so no operation has to declare what it shares (docs/decisions/0288-a-small-document.md).

type Parts = Record<string, unknown>;
type Example = { readonly value?: { readonly details?: readonly { readonly path: string }[] } };
type Body = {
  readonly headers?: Parts;
  readonly content?: Readonly<Record<string, { readonly examples?: Record<string, Example> }>>;
};
type Operation = {
  readonly operationId?: string;
  readonly parameters?: { readonly name: string }[];
  readonly requestBody?: Body;
  readonly responses: Record<string, Body>;
};
/** By path or name of a webhook, then by method. */
export type Operations = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** Where the document has a part, and the names that it could have as a component, the best first. */
type Place = { readonly holder: Parts; readonly key: string; readonly names: readonly string[] };

const placesIn = (holder: Parts | undefined, namesOf: (key: string) => readonly string[]): Place[] =>
  Object.keys(holder ?? {}).map((key) => ({ holder: holder as Parts, key, names: namesOf(key) }));

const pascal = (text: string) =>
  text
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** By the codes of its examples, such as `NotFound`, with the field that a fault is about. A receiver answers without a body. */
function nameOfResponse(status: string, { content = {} }: Body): string {
  const examples = Object.values(content).flatMap((media) => Object.entries(media.examples ?? {}));
  const names = examples.map(([code, { value }]) => pascal(code) + pascal(value?.details?.[0]?.path ?? ''));
  return names.length > 0 ? names.join('Or') : `Webhook${pascal(status)}`;
}

/** The components of one kind; each place of one then has a reference. What is used most chooses its name first. */
function shareRepeated(kind: string, places: readonly Place[]): Parts {
  const groups = Map.groupBy(places, ({ holder, key }) => JSON.stringify(holder[key]));
  const components: Parts = {};
  for (const same of [...groups.values()].toSorted((left, right) => right.length - left.length)) {
    const [first] = same;
    const name = first?.names.find((each) => !(each in components));
    if (!first || !name || same.length === 1) continue;
    components[name] = first.holder[first.key];
    for (const { holder, key } of same) holder[key] = { $ref: `#/components/${kind}/${name}` };
  }
  return components;
}

const examplesOf = ({ content = {} }: Body, namesOf: (key: string) => readonly string[]): Place[] =>
  Object.values(content).flatMap(({ examples }) => placesIn(examples, namesOf));

/** Changes these operations, which must be the document's own copy, and returns the components. */
export function shareParts(paths: Operations, webhooks: Operations): Readonly<Record<string, Parts>> {
  const operations = [paths, webhooks].flatMap((items) => Object.values(items)).flatMap((item) => Object.values(item));
  const inOperation = ({ operationId = 'webhook' }: Operation, name: string) => `${operationId}-${name}`;
  // A successful answer is the operation's own.
  const refusals = operations.flatMap((each) =>
    placesIn(each.responses, (status) => {
      const name = nameOfResponse(status, each.responses[status] ?? {});
      return [name, inOperation(each, name)];
    }).filter(({ key }) => key !== '200'),
  );
  const responses = shareRepeated('responses', refusals) as Record<string, Body>;
  const parameters = operations.flatMap((each) => {
    const all = each.parameters ?? [];
    return all.map(({ name }, place) => ({
      ...{ holder: all as unknown as Parts, key: String(place) },
      names: [name, inOperation(each, name)],
    }));
  });
  const errors = [...refusals.map(({ holder, key }) => holder[key] as Body), ...Object.values(responses)];
  const answers = operations.flatMap(({ responses: { 200: answer = {} } }) => answer);
  const examples = operations.flatMap((each) =>
    [each.requestBody ?? {}, each.responses['200'] ?? {}].flatMap((body) =>
      examplesOf(body, (key) => [inOperation(each, key)]),
    ),
  );
  const headers = [...answers, ...errors].flatMap((body) => placesIn(body.headers, (name) => [name]));
  return {
    responses,
    parameters: shareRepeated('parameters', parameters),
    headers: shareRepeated('headers', headers),
    examples: shareRepeated('examples', [...errors.flatMap((body) => examplesOf(body, (code) => [code])), ...examples]),
  };
}
