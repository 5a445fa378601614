// What a carrier's status, a right code or silence does to one message. `delivered` is terminal and `sent` does not
// affect money, so the order of receipts does not matter (docs/decisions/0051-sms-charges.md).
export type SendState = 'queued' | 'submitted' | 'delivered' | 'undelivered' | 'refused' | 'silent';

export type Proof = 'sent' | 'delivered' | 'undelivered' | 'refused' | 'silent';

export type SendEffect = {
  readonly state: SendState;
  /** `charge-late`: its hold was released before it turned out to be delivered. */
  readonly money: 'capture' | 'void' | 'charge-late' | 'none';
};

export function applyProof(state: SendState, proof: Proof): SendEffect {
  const isOpen = state === 'queued' || state === 'submitted';
  switch (proof) {
    case 'delivered':
      if (state === 'delivered') return { state, money: 'none' };
      return { state: 'delivered', money: isOpen ? 'capture' : 'charge-late' };
    case 'undelivered':
    case 'refused':
    case 'silent':
      return isOpen ? { state: proof, money: 'void' } : { state, money: 'none' };
    case 'sent':
      return { state, money: 'none' };
  }
}
