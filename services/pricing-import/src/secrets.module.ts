import { Module } from '@nestjs/common'
import { CONFIG } from '@partsbus/platform/process/injection-tokens'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import type { PricingImportConfig } from './config.js'

const secretBox = {
  provide: SecretBox,
  useFactory: (config: PricingImportConfig) => new SecretBox(config.SECRETS_KEY),
  inject: [CONFIG],
}

@Module({ providers: [secretBox], exports: [SecretBox] })
export class SecretsModule {}
