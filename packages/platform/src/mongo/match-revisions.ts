/**
 * The filter for documents with one of these revisions, for a change that must not overwrite another. A document
 * without a revision has the revision 0.
 * @param accepted absent: any revision
 */
export function matchRevisions(
  accepted: readonly number[] | undefined,
  field = 'revision',
): Record<string, { $in: number[] }> {
  if (!accepted) return {}
  // null matches documents without the field
  const values = accepted.flatMap((revision) => (revision === 0 ? [0, null as unknown as number] : [revision]))
  return { [field]: { $in: values } }
}
