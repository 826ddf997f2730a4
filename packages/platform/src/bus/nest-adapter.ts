import type { BatchCommand, Command, ReplyOf } from '@partsbus/contracts/message'
import { type ArgumentsHost, Catch, type ExceptionFilter, type PipeTransform } from '@nestjs/common'
import { MessagePattern, Payload } from '@nestjs/microservices'
import { type Observable, throwError } from 'rxjs'
import type { ReplyWithHeaders } from './reply-with-headers.js'
import { type CallOf, type RawRequest, readCall } from './call.js'

type Answer<C extends Command | BatchCommand> = (call: CallOf<C>) => Promise<ReplyOf<C> | ReplyWithHeaders<ReplyOf<C>>>

/**
 * Marks the method that handles a command: the message is validated against the contract and passed on as a `Call`. The
 * compiler checks the method against the request and reply of the contract.
 */
export function Handles<C extends Command | BatchCommand>(contract: C) {
  return (target: object, key: string | symbol, descriptor: { value?: Answer<C> }): void => {
    Payload(new ReadCallPipe(contract))(target, key, 0)
    MessagePattern(contract.subject, {
      priority: contract.priority,
      ofProcess: contract.kind === 'command' && contract.ofProcess,
    })(target, key, descriptor)
  }
}

class ReadCallPipe implements PipeTransform<RawRequest, unknown> {
  private readonly contract: Command | BatchCommand

  constructor(contract: Command | BatchCommand) {
    this.contract = contract
  }

  transform(message: RawRequest): Promise<unknown> {
    return readCall(this.contract, message)
  }
}

/** Lets errors through as they are; the bus server turns them into replies. */
@Catch()
export class PassErrors implements ExceptionFilter {
  catch(error: unknown, _host: ArgumentsHost): Observable<never> {
    return throwError(() => error)
  }
}
