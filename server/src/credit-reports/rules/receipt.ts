// What a carrier's word, or a right code, or silence makes of one message. `delivered` is terminal and `sent` says
// nothing about money, so the order in which receipts come does not matter (docs/decisions/0051).
export type SendState = 'queued' | 'submitted' | 'delivered' | 'undelivered' | 'refused' | 'silent';

export type Proof = 'sent' | 'delivered' | 'undelivered' | 'refused' | 'silent';

export type SendEffect = {
  readonly state: SendState;
  /** `charge-late`: its hold was given back before it turned out to be delivered. */
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
