/** In the gateway's latest times: the moment of the newest complete backup, which `partsbus backup` writes. */
export const LATEST_BACKUP = 'backup'
