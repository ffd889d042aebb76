-- Whoever asks for a code to somebody's address ends no code that the owner asked for: of each purpose
-- an account has one for everybody who asked.

-- keyed hash of the network that asked; empty where there is one code, whoever asked
ALTER TABLE one_time_tokens ADD COLUMN asked_by bytea NOT NULL DEFAULT '';

-- the kind names both since then, `confirmation/<asked_by in hex>`, and is as unique as it was
ALTER TABLE one_time_tokens ADD COLUMN purpose text NOT NULL
    GENERATED ALWAYS AS (split_part(kind, '/', 1)) STORED;
