import { describe, expect, it } from '@jest/globals'
import { mainPicture, sortPictures } from './main-picture.js'

const picture = (id: number, sort_order?: number, is_main?: boolean) => ({
  id,
  url: `/media/${id}/a.jpg`,
  file_name: 'a.jpg',
  mime_type: 'image/jpeg',
  size: 1,
  width: 1,
  height: 1,
  custom_properties: { ...(sort_order !== undefined && { sort_order }), ...(is_main !== undefined && { is_main }) },
})

describe('the pictures of a product', () => {
  it('begin with the main one and go on by position', () => {
    const sorted = sortPictures([picture(1, 2), picture(2, 0), picture(3, 5, true)])
    expect(sorted.map(({ id }) => id)).toEqual([3, 2, 1])
  })

  it('keep their order where the positions are equal', () => {
    expect(sortPictures([picture(1), picture(2)]).map(({ id }) => id)).toEqual([1, 2])
  })

  it('have no main one where there are none', () => {
    expect(mainPicture([])).toBeUndefined()
  })
})
