"""The files of BattleScribe and New Recruit: safe reading, profiles as datasheet fields, whole catalogues."""
