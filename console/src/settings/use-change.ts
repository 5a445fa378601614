// Changes settings: what is shown follows the answer, and the page says what was changed.
import { useQueryClient } from '@tanstack/react-query';
import type { Settings, SettingsChange } from '@trefoil/sdk';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { settingsQuery } from '../api/settings-queries.ts';
import { changesOf } from '../forms/changes.ts';
import { useToast } from '../ui/toast.tsx';

export type CardProps = { readonly tenantId: string; readonly settings: Settings };
type Change = (wanted: SettingsChange, told: string, confirm?: boolean) => Promise<void>;

/** The settings that the card began with, with what was saved in it, and how it saves. */
export function useChange({ tenantId, settings }: CardProps): readonly [Settings, Change] {
  const queryClient = useQueryClient();
  const toast = useToast();
  const [before, setBefore] = useState(settings);
  async function change(wanted: SettingsChange, told: string, confirm = false): Promise<void> {
    const changes = changesOf<SettingsChange>(before, wanted);
    if (Object.keys(changes).length === 0) {
      toast('Nothing was changed');
      return;
    }
    const { data } = await api(tenantId).changeSettings(changes, { confirm });
    setBefore((known) => ({ ...known, ...changes }));
    queryClient.setQueryData(settingsQuery(tenantId).queryKey, data);
    toast(told);
  }
  return [before, change];
}
