// The simulators' one client each. No secrets: they open nothing but invented people on this machine.
export const CREDENTIALS = {
  albion: { username: 'albion-client', password: 'albion-simulator' },
  beacon: { apiKey: 'beacon-simulator' },
  cygnet: { clientId: 'cygnet-client', clientSecret: 'cygnet-simulator' },
} as const;
