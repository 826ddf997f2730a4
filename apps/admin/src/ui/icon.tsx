import styles from './icon.module.css'

/** Paths in a box of 16 × 16, drawn with a stroke of 1.5. */
const PATHS = {
  good: 'M3.5 8.5l3 3 6-7',
  danger: 'M4.5 4.5l7 7m0-7l-7 7',
  warning: 'M8 5v4m0 2.4v.1M8 1.8l6.4 11.4H1.6z',
  quiet: 'M4 8h8',
  running: 'M5 3.5l7 4.5-7 4.5z',
  waiting: 'M8 4v4.2l2.6 1.6M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8z',
  menu: 'M2.5 4.5h11m-11 3.5h11m-11 3.5h11',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zm3.3 7.8l3.2 3.2',
  overview: 'M2.5 2.5h4.5v6H2.5zm6.5 0h4.5v3.5H9zm0 6h4.5v5H9zm-6.5 2.5h4.5v2.5H2.5z',
  lists: 'M3 2.5h10v11H3zm2.5 3.5h5m-5 2.5h5m-5 2.5h3',
  imports: 'M8 2.5v7.5m-3-3l3 3 3-3M2.5 13.5h11',
  products: 'M8 1.8l5.5 3v6.4L8 14.2l-5.5-3V4.8zm0 6.2l5.5-3.2M8 8L2.5 4.8M8 8v6.2',
  categories: 'M2.5 3h4v3h-4zm7 0h4v3h-4zm0 7h4v3h-4zM4.5 6v5.5h5',
  pictures: 'M2.5 3h11v10h-11zm0 7.5l3-3 2.5 2.5 2-2 3.5 3.5M10.5 6v.1',
  storages: 'M2 6l6-3.5L14 6v7.5H2zm3 7.5V8.5h6v5',
  points: 'M8 14s4.5-4 4.5-7.5a4.5 4.5 0 0 0-9 0C3.5 10 8 14 8 14zm0-6a1.6 1.6 0 1 0 0-3.2A1.6 1.6 0 0 0 8 8z',
  brands: 'M2.5 2.5h5l6 6-5 5-6-6zm2.8 2.8v.1',
  settings: 'M2.5 4.5h6m3 0h2m-11 7h2m3 0h6M10 3v3m-4 4v3',
  audit: 'M8 1.8l5.5 2v4c0 3.2-2.3 5.3-5.5 6.4-3.2-1.1-5.5-3.2-5.5-6.4v-4zm-2.3 6l1.8 1.8 3-3.4',
  people: 'M8 8a2.6 2.6 0 1 0 0-5.2A2.6 2.6 0 0 0 8 8zm-5 5.5c.3-2.7 2.4-4 5-4s4.7 1.3 5 4',
  external: 'M6 3H3v10h10v-3M9 2.5h4.5V7M13.3 2.7L7.5 8.5',
  sun:
    'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zm0-3.5v1.5m0 10v1.5M1.5 8H3m10 0h1.5' +
    'M3.4 3.4l1.1 1.1m7 7l1.1 1.1m0-9.2l-1.1 1.1m-7 7l-1.1 1.1',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z',
  auto: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zm0 0v12m0-2.5a3.5 3.5 0 0 0 0-7',
  down: 'M4 6.5l4 4 4-4',
  left: 'M9.5 4l-4 4 4 4',
  right: 'M6.5 4l4 4-4 4',
  close: 'M4 4l8 8m0-8l-8 8',
  copy: 'M5.5 5.5h8v8h-8zm-1.5 5H2.5v-8h8V4',
  add: 'M8 3.5v9M3.5 8h9',
  upload: 'M8 10.5V2.5m-3.5 3.5L8 2.5 11.5 6M2.5 13.5h11',
  download: 'M8 2.5v8M4.5 7L8 10.5 11.5 7M2.5 13.5h11',
  refresh: 'M13 8a5 5 0 1 1-1.6-3.7L13 5.8M13 2.5v3.3H9.7',
  key: 'M10.5 2.5a3 3 0 1 1-2.8 4.1L3 11.3V13.5h2.2v-1.8H7V10l1-1',
  plug: 'M5.5 2v3m5-3v3M4 5h8v2.5a4 4 0 0 1-8 0zm4 6.5V14',
} as const

export type IconName = keyof typeof PATHS

/** An ornament: the word beside it says the same. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg className={styles.icon} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    <path d={PATHS[name]} />
  </svg>
)
