// The places of the console and the scope that each needs. The server decides; this only spares people dead ends.
import {
  BookOpenText,
  FileText,
  FlaskConical,
  House,
  KeyRound,
  ListChecks,
  type LucideIcon,
  Radio,
  Send,
  Settings,
  Users,
  Wallet,
  Webhook,
} from 'lucide-react';
import type { Scope } from '../format/roles.ts';

type Common = {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly scope: Scope;
  /** Other words by which the palette finds it. */
  readonly words: string;
  /** Shown in test mode alone. */
  readonly isForTest?: true;
};
export type Place = Common &
  (
    | {
        readonly to:
          | '/$tenantId'
          | '/$tenantId/reports'
          | '/$tenantId/new'
          | '/$tenantId/playground'
          | '/$tenantId/wallet'
          | '/$tenantId/credentials'
          | '/$tenantId/webhooks'
          | '/$tenantId/events'
          | '/$tenantId/people'
          | '/$tenantId/audit'
          | '/$tenantId/settings';
      }
    /** A page that is no part of the console. */
    | { readonly href: string }
  );

export const PLACES: readonly { readonly title?: string; readonly places: readonly Place[] }[] = [
  {
    places: [
      {
        to: '/$tenantId',
        label: 'Home',
        icon: House,
        scope: 'reports:read',
        words: 'start overview spend alerts',
      },
      {
        to: '/$tenantId/reports',
        label: 'Reports',
        icon: FileText,
        scope: 'reports:read',
        words: 'credit search reference',
      },
      {
        to: '/$tenantId/new',
        label: 'New report',
        icon: Send,
        scope: 'reports:write',
        words: 'request ask consumer details',
      },
      {
        to: '/$tenantId/wallet',
        label: 'Wallet',
        icon: Wallet,
        scope: 'wallet:read',
        words: 'statement balance money top-up csv',
      },
    ],
  },
  {
    title: 'Developers',
    places: [
      {
        to: '/$tenantId/playground',
        label: 'Test playground',
        icon: FlaskConical,
        scope: 'reports:write',
        words: 'scenarios inbox clock sandbox catalogue',
        isForTest: true,
      },
      {
        to: '/$tenantId/credentials',
        label: 'API credentials',
        icon: KeyRound,
        scope: 'credentials:write',
        words: 'keys secrets client',
      },
      {
        to: '/$tenantId/webhooks',
        label: 'Webhooks',
        icon: Webhook,
        scope: 'webhooks:write',
        words: 'endpoints deliveries hooks events',
      },
      {
        to: '/$tenantId/events',
        label: 'Events',
        icon: Radio,
        scope: 'events:read',
        words: 'feed what happened json',
      },
      {
        href: '/docs/reference',
        label: 'API reference',
        icon: BookOpenText,
        scope: 'credentials:write',
        words: 'docs documentation openapi',
      },
    ],
  },
  {
    title: 'Company',
    places: [
      {
        to: '/$tenantId/people',
        label: 'People',
        icon: Users,
        scope: 'members:write',
        words: 'members invitations roles',
      },
      {
        to: '/$tenantId/audit',
        label: 'Audit log',
        icon: ListChecks,
        scope: 'audit:read',
        words: 'history who did what',
      },
      {
        to: '/$tenantId/settings',
        label: 'Settings',
        icon: Settings,
        scope: 'settings:write',
        words: 'retention countries limits texts name alert',
      },
    ],
  },
];

/** Whether a place is one of this mode. */
export const isOfMode = ({ isForTest }: Place, mode: 'live' | 'test') => mode === 'test' || !isForTest;
