import { messageAnswer } from '../gateway/answer.js'
import { auditEntry, auditRequest, issuedToken, settingsPatch, settingsView, tokenIssue } from '../gateway/settings.js'
import { pageOf } from '../paging.js'
import type { AdminRow, Rows } from './row.js'

export const settingsRows = {
  'GET /settings': {
    name: 'getSettings',
    summary: 'Read the settings',
    role: 'viewer',
    isRevised: true,
    answer: settingsView,
  },
  'PATCH /settings': {
    name: 'patchSettings',
    summary: 'Change settings',
    role: 'owner',
    isRevised: true,
    body: settingsPatch,
    answer: settingsView,
    servesMaintenance: true,
    refusals: { 504: messageAnswer },
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
  },
  'DELETE /settings/erp-token': {
    name: 'revokeErpToken',
    summary: 'Revoke the ERP token',
    role: 'owner',
    status: 204,
    isRevised: true,
    servesMaintenance: true,
  },
  'POST /settings/b2b-token': {
    name: 'issueB2bToken',
    summary: 'Issue the B2B token',
    role: 'owner',
    isRevised: true,
    answer: issuedToken,
    servesMaintenance: true,
  },
  'DELETE /settings/b2b-token': {
    name: 'revokeB2bToken',
    summary: 'Revoke the B2B token',
    role: 'owner',
    status: 204,
    isRevised: true,
    servesMaintenance: true,
  },
  'GET /audit': {
    name: 'listAudit',
    summary: 'Read the audit log',
    role: 'manager',
    query: auditRequest,
    answer: pageOf(auditEntry),
  },
} as const satisfies Rows<AdminRow>
