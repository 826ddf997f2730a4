import type { AdminPath, AdminRows, AnswerOf } from '@partsbus/contracts/http/admin'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../context.js'
import type { AdminCall } from './admin-call.js'
import { exportHandlers } from './exports/send-export.js'
import { downloadFile } from './import-tasks/download-file.js'
import { followTask } from './import-tasks/follow-task.js'
import { showApiStatistics, showOverview } from './overview/counted-here.js'
import { createPriceList } from './price-lists/create-price-list.js'
import { priceListFiles } from './price-lists/price-list-files.js'
import { acceptInvitation, signIn } from './sessions/open-session.js'
import {
  closeOtherSessions,
  closeOwnSession,
  getSession,
  listOwnSessions,
  patchOwnAccount,
  signOut,
} from './sessions/own-sessions.js'

type JsonHandler<Path extends AdminPath> = (
  call: AdminCall<Path>,
) => AnswerOf<Path> extends undefined ? unknown : AnswerOf<Path> | Promise<AnswerOf<Path>>

/** Reads the body and sends the response itself: a form, a file or a stream. */
export type RawHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

type OwnPath = { [Path in AdminPath]: AdminRows[Path] extends { command: object } ? never : Path }[AdminPath]

/** The calls that the gateway handles itself. One that is missing or has a command as well does not compile. */
export type AdminHandlers = {
  [Path in OwnPath]: AdminRows[Path] extends { file: string } | { media: string } ? RawHandler : JsonHandler<Path>
}

/** @param isDraining true when the process is about to stop; event streams end then */
export function adminHandlers(ctx: GatewayContext, isDraining: () => boolean): AdminHandlers {
  const files = priceListFiles(ctx)
  return {
    'GET /overview': showOverview,
    'GET /statistics/apis': showApiStatistics,

    'POST /session': signIn,
    'GET /session': getSession,
    'PATCH /session': patchOwnAccount,
    'DELETE /session': signOut,
    'GET /sessions': listOwnSessions,
    'DELETE /sessions': closeOtherSessions,
    'DELETE /sessions/:id': closeOwnSession,
    'POST /invitation': acceptInvitation,

    'POST /price-lists': createPriceList,
    'POST /price-lists/:id/upload': files.upload,
    'POST /price-lists/:id/preview': files.preview,
    'GET /import-tasks/:id/events': followTask(ctx, isDraining),
    'GET /import-tasks/:id/file': downloadFile(ctx),
    ...exportHandlers(ctx),
  }
}
