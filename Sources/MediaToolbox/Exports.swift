#if Everything || PlaybackAndEditing
@_exported public import MediaEditing
#endif
