import { type AsyncRouteComponent, lazyRouteComponent } from '@tanstack/react-router'
import { type Feature, languageOfPage, loadFeature } from '../texts/features.js'
import { loadChunk } from '../browser/load-chunk.js'

type Modules<Name extends string> = Record<Name, (props: object) => React.ReactNode>

/**
 * `lazyPage(() => import('./imports/imports-page.js'), 'ImportsPage', 'imports')` loads the chunk of a page together
 * with the texts of the features that it uses.
 */
export function lazyPage<Name extends string>(
  load: () => Promise<Modules<Name>>,
  name: Name,
  ...features: Feature[]
): AsyncRouteComponent<object> {
  const loadAll = async (): Promise<Modules<Name>> => {
    const texts = features.map((feature) => loadFeature(languageOfPage(), feature))
    const [chunk] = await Promise.all([loadChunk(load), ...texts])
    return chunk
  }
  return lazyRouteComponent(loadAll, name)
}
