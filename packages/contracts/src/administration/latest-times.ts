/** The moment of the newest complete backup among the latest times, which `partsbus backup` writes. */
export const LATEST_BACKUP = 'backup'
