/** In the latest times of the administration: the moment of the newest complete backup, which `partsbus backup` writes. */
export const LATEST_BACKUP = 'backup'
