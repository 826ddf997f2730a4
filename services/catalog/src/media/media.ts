import { Controller, Inject } from '@nestjs/common'
import * as contract from '@partsbus/contracts/catalog/commands'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { StoredMedia } from '@partsbus/contracts/catalog/media'
import type { FileDriver } from '@partsbus/file-store/file-driver'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { MEDIA_FILES, type MediaRecord, MediaStore } from './media-store.js'

const MAX_READ_BYTES = 1024 * 1024

/** Stored media as the gateway serves it (admin.md#media). */
@Controller()
export class Media {
  constructor(
    private readonly media: MediaStore,
    @Inject(MEDIA_FILES) private readonly files: FileDriver,
  ) {}

  /** @throws AppError NOT_FOUND */
  @Handles(contract.describeMedia)
  async describeMedia(call: Pick<CallOf<typeof contract.describeMedia>, 'body'>): Promise<StoredMedia> {
    const { _id: id, file_name, mime_type, size, sha256, created_at } = await this.getRecord(call.body.id)
    return { id, file_name, mime_type, size, sha256, created_at: created_at.toISOString() }
  }

  /**
   * Bytes from `offset`: at most `length` and at most 1 MiB, fewer at the end, none behind it.
   * @throws AppError NOT_FOUND
   */
  @Handles(contract.readMedia)
  async readMedia({
    body: { id, offset, length },
  }: Pick<CallOf<typeof contract.readMedia>, 'body'>): Promise<Uint8Array<ArrayBuffer>> {
    const record = await this.getRecord(id)
    const count = Math.min(length, MAX_READ_BYTES, record.size - offset)
    if (count <= 0) return new Uint8Array()
    const bytes = await this.files.read(record.sha256, offset, count)
    if (bytes.length !== count)
      throw new AppError('INTERNAL', texts.internal, { cause: new Error(`bytes of media ${id} are incomplete`) })
    return bytes
  }

  private async getRecord(id: number): Promise<MediaRecord> {
    const record = await this.media.get(id)
    if (!record) throw new AppError('NOT_FOUND', texts.notFound)
    return record
  }
}
