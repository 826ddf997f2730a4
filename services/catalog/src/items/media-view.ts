import type { ItemMedia } from '@partsbus/contracts/catalog/media'
import type { MediaReference } from './item-document.js'

/** `url` is a path; the gateway adds its base URL. */
export function mediaView(media: readonly MediaReference[]): ItemMedia[] {
  return media.map(({ id, file_name, mime_type, size, width, height, sort_order, is_main }) => ({
    id,
    url: `/media/${id}/${encodeURIComponent(file_name)}`,
    file_name,
    mime_type,
    size,
    width,
    height,
    custom_properties: { ...(sort_order !== undefined && { sort_order }), ...(is_main !== undefined && { is_main }) },
  }))
}
