// Changes settings: what is shown follows the answer, and the page says what was changed.
import { useQueryClient } from '@tanstack/react-query';
import type { Settings, SettingsChange } from '@trefoil/sdk';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { settingsQuery } from '../api/settings-queries.ts';
import { useToast } from '../ui/toast.tsx';

export type CardProps = { readonly tenantId: string; readonly settings: Settings };
type Change = (wanted: SettingsChange, told: string, confirm?: boolean) => Promise<void>;

/** Lists are sets: their order is no change. */
const textOf = (value: unknown) =>
  JSON.stringify(Array.isArray(value) ? value.map(String).toSorted((a, b) => (a < b ? -1 : 1)) : value);

/**
 * The settings that the card began with, with what was saved in it, and how it saves. Only fields are sent that differ from
 * these, which are the ones that the person changed: what another person changed since then stays.
 */
export function useChange({ tenantId, settings }: CardProps): readonly [Settings, Change] {
  const queryClient = useQueryClient();
  const toast = useToast();
  const [before, setBefore] = useState(settings);
  async function change(wanted: SettingsChange, told: string, confirm = false): Promise<void> {
    const differing = Object.entries(wanted).filter(
      ([name, value]) => textOf(before[name as keyof SettingsChange]) !== textOf(value),
    );
    if (differing.length === 0) {
      toast('Nothing was changed');
      return;
    }
    const changes: SettingsChange = Object.fromEntries(differing);
    const { data } = await api(tenantId).changeSettings(changes, { confirm });
    setBefore((known) => ({ ...known, ...changes }));
    queryClient.setQueryData(settingsQuery(tenantId).queryKey, data);
    toast(told);
  }
  return [before, change];
}
