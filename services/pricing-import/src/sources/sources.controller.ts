import * as contract from '@partsbus/contracts/pricing-import/commands'
import { Controller } from '@nestjs/common'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { RunSource } from './run-source.js'
import { TestSource } from './test-source.js'

@Controller()
export class SourcesController {
  constructor(
    private readonly run: RunSource,
    private readonly test: TestSource,
  ) {}

  @Handles(contract.testSource)
  testSource(call: CallOf<typeof contract.testSource>) {
    return this.test.testSource(call)
  }

  @Handles(contract.runSource)
  runSource(call: CallOf<typeof contract.runSource>) {
    return this.run.runSource(call)
  }
}
