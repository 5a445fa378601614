// A tenant's settings, for the features that apply them.
export { listScreeningSettings, listSmsSettings, type SmsSettings } from './settings-store.ts';
