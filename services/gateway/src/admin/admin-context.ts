import type { Caller } from '@partsbus/contracts/administration/caller'
import type { CallSettings } from '@partsbus/contracts/administration/settings'
import type { BusClient } from '@partsbus/platform/bus/client'
import type { Log } from '@partsbus/platform/process/log'
import type { FastifyRequest } from 'fastify'
import { withRequestScope } from '../http/request-calls.js'
import { anonymous } from './administrators/request-administrator.js'

/** The part of the gateway's context that changes and resource routes use. */
export interface AdminContext {
  calls: Pick<BusClient, 'request' | 'forward'>
  log: Log
  /** the sender and the id of a request, which the audit log records with a change */
  caller: Caller
}

/** The context of one request: its calls carry the id of the request, and its changes the name of the administrator. */
export function adminContext<Context extends Omit<AdminContext, 'caller'>>(
  ctx: Context,
  request: Pick<FastifyRequest, 'administrator' | 'scope' | 'id' | 'address'>,
): Context & AdminContext {
  const { id, name } = request.administrator ?? anonymous
  return {
    ...withRequestScope(ctx, request),
    caller: { administrator: { id, name }, request_id: request.id, address: request.address ?? null },
  }
}

/** How long a service may take for a request of an administrator, in ms. */
const TIMEOUT_MS = 10_000

/** Settings and deadline of a call for an administrator. */
export const callOptions = (
  settings: CallSettings,
  timeoutMs = TIMEOUT_MS,
): { timeoutMs: number; settings: CallSettings } => ({ timeoutMs, settings })
