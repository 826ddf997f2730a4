import type { ItemMedia } from '@partsbus/contracts/catalog/media'

/** The main picture first, then by position; those that were sent first win a tie. */
export function sortPictures(media: readonly ItemMedia[]): ItemMedia[] {
  const rank = ({ custom_properties: { is_main } }: ItemMedia) => (is_main ? 0 : 1)
  const position = ({ custom_properties: { sort_order } }: ItemMedia) => sort_order ?? 0
  return media.toSorted((a, b) => rank(a) - rank(b) || position(a) - position(b))
}

export const mainPicture = (media: readonly ItemMedia[]): ItemMedia | undefined => sortPictures(media)[0]
