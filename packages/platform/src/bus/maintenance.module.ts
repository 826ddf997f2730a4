import { Global, Module } from '@nestjs/common'
import { MaintenanceWatch } from './maintenance-watch.js'

/** For services that may ask a gateway for its settings, and write in the background. */
@Global()
@Module({ providers: [MaintenanceWatch], exports: [MaintenanceWatch] })
export class MaintenanceModule {}
