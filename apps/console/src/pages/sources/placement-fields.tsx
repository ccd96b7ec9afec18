import { NativeSelect, TextInput } from '@mantine/core';
import type { Folder } from '../../api/answers.js';
import { TAGS_HINT } from '../../ui/format.js';

/** The target of a new item, as entered in the form. */
export interface Placement {
  readonly folderId: string;
  readonly tags: string;
}

const DEFAULT_SLUG = 'inbox';

/** The folder that the page shows, or else the default folder, or else the first. */
export const firstFolder = (folders: readonly Folder[], shown: string): string =>
  (folders.find(({ id }) => id === shown) ?? folders.find(({ slug }) => slug === DEFAULT_SLUG) ?? folders[0])?.id ?? '';

interface PlacementFieldsProps {
  readonly folders: readonly Folder[];
  readonly value: Placement;
  readonly onChange: (value: Placement) => void;
  readonly errorAt?: (field: string) => string | undefined;
  readonly isDisabled?: boolean;
}

export const PlacementFields = ({ folders, value, onChange, errorAt, isDisabled = false }: PlacementFieldsProps) => (
  <>
    <NativeSelect
      label="Folder"
      value={value.folderId}
      disabled={isDisabled}
      error={errorAt?.('folderId')}
      onChange={(event) => onChange({ ...value, folderId: event.currentTarget.value })}
      data={folders.map(({ id, name, tier }) => ({ value: id, label: `${name} (${tier})` }))}
    />
    <TextInput
      label="Tags"
      description={TAGS_HINT}
      value={value.tags}
      disabled={isDisabled}
      error={errorAt?.('tags')}
      onChange={(event) => onChange({ ...value, tags: event.currentTarget.value })}
    />
  </>
);
