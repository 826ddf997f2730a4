import { defineConfig } from 'vite'
import { adminPages } from './build/admin-pages.js'

/** Code that every page needs: it forms the entry, the only script before a page. */
const ENTRY = [
  'node_modules/(react|react-dom|scheduler|@tanstack)/',
  'apps/admin/src/(main|routes|browser/|calls/|shell/)',
  'apps/admin/src/(ui/(?!combobox)|session/(?!join)|texts/(plural|language|features))',
  'packages/client/',
]

/** The gateway that `npm run dev:admin` sends calls to. */
const gateway = process.env.GATEWAY_URL ?? 'http://127.0.0.1:8080'

/** `ru-` before the texts of a feature, for the check of the sizes. */
const languagePrefix = (module: string | null | undefined): string => {
  const [, language] = /\/texts\/(en|ru)\/[\w-]+\.ts$/.exec(module ?? '') ?? []
  return language === undefined ? '' : `${language}-`
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/admin/',
  plugins: [adminPages()],
  oxc: { jsx: { runtime: 'automatic' } },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  // nothing here validates answers: the schemas for that would be a chunk that no page loads
  resolve: {
    alias: [{ find: /^\.\/validate-answer\.js$/, replacement: `${import.meta.dirname}/src/calls/validate-nothing.ts` }],
  },
  server: { proxy: { '/api': gateway, '/media': gateway, '/docs': gateway } },
  build: {
    // all of them know light-dark(), <dialog> and import()
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    // one style sheet: a page never shows before its styles
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
    // of the packages that are compiled in; index.html refers to it
    license: { fileName: 'licenses.txt' },
    // style-src and font-src allow no data: addresses
    assetsInlineLimit: 0,
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: 'src/main.tsx',
      // "use client" of libraries means nothing here
      onLog: (level, log, print) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && print(level, log),
      output: {
        // The entry and what it shares with pages is one chunk; without the group each set of pages that share
        // something gets a chunk of its own, and the first page needs all of them.
        codeSplitting: {
          groups: [
            {
              name: 'entry',
              test: new RegExp(ENTRY.join('|')),
            },
          ],
        },
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: ({ facadeModuleId }) => `assets/${languagePrefix(facadeModuleId)}[name]-[hash].js`,
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
})
