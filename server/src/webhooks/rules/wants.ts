// Which events an endpoint gets. Pure.
type Endpoint = { readonly isTest: boolean; readonly eventTypes: readonly string[] | null };
type Event = { readonly isTest: boolean; readonly eventType: string };

/** Test mode and live mode never mix: an endpoint has the events of one of them. */
export function wants({ isTest, eventTypes }: Endpoint, event: Event): boolean {
  return isTest === event.isTest && (eventTypes === null || eventTypes.includes(event.eventType));
}
