// The single client of each simulator. Not secrets: they give access only to invented people and test keys on this machine.
export const CREDENTIALS = {
  albion: { username: 'albion-client', password: 'albion-simulator' },
  beacon: { apiKey: 'beacon-simulator' },
  cygnet: { clientId: 'cygnet-client', clientSecret: 'cygnet-simulator' },
  screening: { apiKey: 'screening-simulator' },
  carrier: { accountSid: `AC${'0'.repeat(31)}1`, authToken: 'carrier-simulator', from: '+447700900999' },
  mail: { from: 'Trefoil <no-reply@example.com>' },
  'aws-kms': {
    accessKeyId: 'AKIDSIMULATOR0000001',
    secretAccessKey: 'aws-kms-simulator-secret-access-key',
    region: 'eu-west-2',
  },
  'vault-transit': {
    roleId: '5a1e0000-0000-4000-8000-000000000001',
    secretId: '5a1e0000-0000-4000-8000-000000000002',
    token: 'hvs.vault-transit-simulator',
  },
} as const;
