// The single client of each simulator. Not secrets: they give access only to invented people on this machine.
export const CREDENTIALS = {
  albion: { username: 'albion-client', password: 'albion-simulator' },
  beacon: { apiKey: 'beacon-simulator' },
  cygnet: { clientId: 'cygnet-client', clientSecret: 'cygnet-simulator' },
  screening: { apiKey: 'screening-simulator' },
  carrier: { accountSid: `AC${'0'.repeat(31)}1`, authToken: 'carrier-simulator', from: '+447700900999' },
  mail: { from: 'Trefoil <no-reply@example.com>' },
} as const;
