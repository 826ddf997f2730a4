import { listAudit } from '../administration/audit.js'
import {
  issueApiToken,
  patchSettings,
  revokeApiToken,
  SETTINGS_CHANGE_TIMEOUT_MS,
  showSettings,
} from '../administration/settings-commands.js'
import {
  auditEntry,
  auditRequest,
  issuedToken,
  settingsPatch,
  settingsView,
  tokenIssue,
} from '../administration/settings.js'
import { pageOf } from '../paging.js'
import type { AdminRow, Rows } from './row.js'

const settingsChange = { namesCaller: true, timeoutMs: SETTINGS_CHANGE_TIMEOUT_MS } as const
const erpToken = { fixed: { audience: 'erp' }, ...settingsChange } as const
const b2bToken = { fixed: { audience: 'b2b' }, ...settingsChange } as const

export const settingsRows = {
  'GET /settings': {
    name: 'getSettings',
    summary: 'Read the settings',
    role: 'viewer',
    isRevised: true,
    answer: settingsView,
    command: showSettings,
  },
  'PATCH /settings': {
    name: 'patchSettings',
    summary: 'Change settings',
    role: 'owner',
    isRevised: true,
    body: settingsPatch,
    answer: settingsView,
    servesMaintenance: true,
    command: patchSettings,
    ...settingsChange,
  },
  'POST /settings/erp-token': {
    name: 'issueErpToken',
    summary: 'Issue the ERP token',
    role: 'owner',
    isRevised: true,
    body: tokenIssue,
    isBodyOptional: true,
    ignoresOtherMedia: true,
    answer: issuedToken,
    servesMaintenance: true,
    command: issueApiToken,
    ...erpToken,
  },
  'DELETE /settings/erp-token': {
    name: 'revokeErpToken',
    summary: 'Revoke the ERP token',
    role: 'owner',
    status: 204,
    isRevised: true,
    servesMaintenance: true,
    command: revokeApiToken,
    ...erpToken,
  },
  'POST /settings/b2b-token': {
    name: 'issueB2bToken',
    summary: 'Issue the B2B token',
    role: 'owner',
    isRevised: true,
    answer: issuedToken,
    servesMaintenance: true,
    command: issueApiToken,
    ...b2bToken,
  },
  'DELETE /settings/b2b-token': {
    name: 'revokeB2bToken',
    summary: 'Revoke the B2B token',
    role: 'owner',
    status: 204,
    isRevised: true,
    servesMaintenance: true,
    command: revokeApiToken,
    ...b2bToken,
  },
  'GET /audit': {
    name: 'listAudit',
    summary: 'Read the audit log',
    role: 'manager',
    query: auditRequest,
    answer: pageOf(auditEntry),
    command: listAudit,
  },
} as const satisfies Rows<AdminRow>
