/** Texts in place of content: errors, missing permission, nothing found, conflicts, violations. */
export const states = {
  failed: 'This could not be loaded',
  refused: 'This was refused',
  requestId: 'Request',
  copyRequestId: 'Copy the request id',
  noConnection: 'The server cannot be reached.',
  away: (part: string) => `${part} does not respond.`,
  parts: {
    'price-lists': 'The price-list service',
    'import-tasks': 'The price-list service',
    storages: 'The storage service',
    'pick-up-points': 'The storage service',
    supplies: 'The storage service',
    products: 'The catalog service',
    categories: 'The catalog service',
    'media-jobs': 'The catalog service',
    search: 'The search service',
    other: 'A part of Partsbus',
  },
  nextTry: (seconds: number) => `Next try in ${seconds} s.`,
  stale: 'This may be out of date: newer data could not be loaded.',
  mayNot: (role: string, owners: string) =>
    owners === ''
      ? `Your role (${role}) may not open this. Ask an owner.`
      : `Your role (${role}) may not open this. Ask an owner: ${owners}.`,
  mayNotChange: (role: string, owners: string) =>
    owners === ''
      ? `Your role (${role}) may not change this. Ask an owner.`
      : `Your role (${role}) may not change this. Ask an owner: ${owners}.`,
  noPermission: 'Not for your role',
  gone: 'It no longer exists',
  goneText: (what: string) => `${what} was deleted, or never existed.`,
  usedBy: 'It is used by:',
  /** Settings that refer to things, by their keys. */
  settingNames: {
    erp_storage_id: 'Storage of ERP stock',
    erp_pick_up_point_id: 'Pick-up point of ERP stock',
    storages_for_crosses: 'Storages asked without pick-up points',
  } as Record<string, string>,
  conflict: {
    title: 'It was changed meanwhile',
    text: 'Somebody saved this after you opened it. Choose a value for each field, then save again.',
    takeTheirs: 'Take the saved one',
    keepMine: 'Keep mine',
    takeBoth: 'Keep both changes',
    apply: 'Use these values',
    noOverlap: 'None of your fields was changed: both changes can be saved.',
    saveBoth: 'Save both changes',
    lookAgain: 'The saved values are shown now. Check them before you continue.',
  },
  unsaved: {
    title: 'Leave without saving?',
    text: (count: string) => `You would lose ${count}.`,
    stay: 'Stay',
    leave: 'Leave',
  },
  violations: {
    title: (count: number) => (count === 1 ? 'One field needs your attention' : `${count} fields need your attention`),
    unplaced: 'A field that is not on this page:',
    required: 'This field is required.',
    max: (limit: string) => `At most ${limit} characters.`,
    min: (limit: string) => `At least ${limit}.`,
    at_most: (limit: string) => `At most ${limit}.`,
    max_items: (limit: string) => `At most ${limit} items.`,
    integer: 'Enter a whole number.',
    number: 'Enter a number.',
    text: 'It has characters that cannot be stored.',
    date: 'This is not a date.',
    format: 'The format is wrong.',
    unknown: 'This field is not known.',
    exists: 'It does not exist.',
    taken: 'It is already taken.',
    resend: 'The address was changed: the secret must be sent again.',
  },
}
