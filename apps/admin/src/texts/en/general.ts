import { plural } from '../plural.js'

/** Texts of every page. */
export const general = {
  /** Of a thing that has no value. */
  none: '–',
  save: 'Save',
  cancel: 'Cancel',
  close: 'Close',
  remove: 'Remove',
  retry: 'Try again',
  copy: 'Copy',
  copied: 'Copied',
  open: 'Open',
  discard: 'Discard',
  confirm: 'Confirm',
  change: 'Change',
  optional: 'optional',
  yes: 'Yes',
  no: 'No',
  loading: 'Loading …',
  search: 'Search',
  all: 'All',
  saved: 'Saved',
  noNumber: 'This is not a number.',
  changes: (count: number) => plural.en(count, { one: 'change', other: 'changes' }),
  rows: (count: number) => plural.en(count, { one: 'row', other: 'rows' }),
  estimated: 'estimated',
  notInSearch: {
    badge: 'not in the search',
    title: (storage: string) => `No search asks the storage “${storage}”: partners do not find these offers.`,
    include: 'Include in the search',
    included: 'It is in the search now.',
  },
}
