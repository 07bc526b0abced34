"""The documentation site: pages of the repository, references that are generated, figures of the record."""
