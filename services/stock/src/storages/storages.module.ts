import { Module } from '@nestjs/common'
import { CONFIG } from '@partsbus/platform/process/injection-tokens'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import type { StockConfig } from '../config.js'
import { StoresModule } from '../stores.module.js'
import { StoragesController } from './storages.controller.js'
import { Storages } from './storages.js'

const secretBox = {
  provide: SecretBox,
  useFactory: (config: StockConfig) => new SecretBox(config.SECRETS_KEY),
  inject: [CONFIG],
}

@Module({
  imports: [StoresModule],
  controllers: [StoragesController],
  providers: [Storages, secretBox],
  exports: [Storages, SecretBox],
})
export class StoragesModule {}
