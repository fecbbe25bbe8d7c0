"""Architectures of `transformers`, small and with random weights: one entry each, exported in one way or both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.models.inputs import Inputs, Sizes, numbers, ones, words
from benchmarks.models.ways import Architecture, Model

VOCABULARY = 1000
TEXT = {"input_ids": words(VOCABULARY, "batch", "length"), "attention_mask": ones("batch", "length")}
TOKENS = {"input_ids": words(VOCABULARY, "batch", "length")}
PAIR = {**TOKENS, "decoder_input_ids": words(VOCABULARY, "batch", "target")}
LENGTHS = ({"batch": 2, "length": 32}, {"batch": 3, "length": 17})
PAIR_LENGTHS = ({"batch": 2, "length": 32, "target": 16}, {"batch": 3, "length": 17, "target": 5})
STEPS = (
    {"batch": 2, "length": 4, "past": 60},
    {"batch": 1, "length": 1, "past": 7},
    {"batch": 3, "length": 5, "past": 0},
)
"""A decoder with what it has seen before: some new words, one, and the first words of all."""
ONE_STEP = STEPS[:2]
SOUND = ({"batch": 2, "samples": 8000}, {"batch": 1, "samples": 5000})
IMAGES = ({"batch": 2}, {"batch": 3})
BOTH = ("traced", "dynamo")

BERT = {
    "vocab_size": VOCABULARY,
    "hidden_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 512,
}
LLAMA = {**BERT, "num_key_value_heads": 2, "max_position_embeddings": 256}
GPT = {"vocab_size": VOCABULARY, "n_embd": 128, "n_layer": 2, "n_head": 4, "n_positions": 256}
VIT = {
    "hidden_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 512,
    "image_size": 64,
    "patch_size": 8,
}
SEQUENCES = {
    "vocab_size": VOCABULARY, "d_model": 128, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4,
    "decoder_attention_heads": 4, "encoder_ffn_dim": 256, "decoder_ffn_dim": 256, "max_position_embeddings": 128,
    "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 1, "forced_eos_token_id": 2,
}  # fmt: skip
T5 = {"vocab_size": VOCABULARY, "d_model": 128, "d_kv": 32, "d_ff": 256, "num_layers": 2, "num_heads": 4}
WAVES = {
    "hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 256,
    "conv_dim": (64, 64, 64), "conv_stride": (5, 4, 2), "conv_kernel": (10, 8, 4), "num_feat_extract_layers": 3,
    "num_conv_pos_embeddings": 16, "num_conv_pos_embedding_groups": 4, "vocab_size": 32,
}  # fmt: skip
CACHE = (2, 4, 32)
GROUPED = (2, 2, 32)
SMALL_PICTURE = {"pixel_values": numbers("batch", 3, 64, 64)}
PICTURE = {"pixel_values": numbers("batch", 3, 128, 128)}
WAVE = {"input_values": numbers("batch", "samples")}


def _each(
    name: str, network: str, configuration: Mapping[str, Any], inputs: Inputs, sizes: tuple[Sizes, ...],
    exporters: tuple[str, ...] = ("traced",), **more: Any,
) -> Iterator[Model]:  # fmt: skip
    for exporter in exporters:
        own = name if exporter == "traced" else f"{name}-{exporter}"
        yield Model(own, Architecture(network, configuration, exporter, **more), inputs, sizes)


def _encoders() -> Iterator[Model]:
    yield from _each("bert", "BertModel", BERT, TEXT, LENGTHS, BOTH)
    yield from _each("roberta", "RobertaForSequenceClassification", {**BERT, "pad_token_id": 1}, TEXT, LENGTHS)
    settings = {"vocab_size": VOCABULARY, "dim": 128, "n_layers": 2, "n_heads": 4, "hidden_dim": 512}
    yield from _each("distilbert", "DistilBertForTokenClassification", settings, TEXT, LENGTHS)
    yield from _each("albert", "AlbertModel", {**BERT, "embedding_size": 64}, TEXT, LENGTHS)
    yield from _each("electra", "ElectraForPreTraining", {**BERT, "embedding_size": 64}, TEXT, LENGTHS)
    deberta = {"relative_attention": True, "pos_att_type": ["p2c", "c2p"], "max_relative_positions": 64}
    yield from _each("deberta", "DebertaModel", {**BERT, **deberta}, TEXT, LENGTHS)
    further = {"share_att_key": True, "position_buckets": 32, "norm_rel_ebd": "layer_norm"}
    yield from _each("deberta-v2", "DebertaV2Model", {**BERT, **deberta, **further}, TEXT, LENGTHS, BOTH)
    yield from _each("mpnet", "MPNetModel", BERT, TEXT, LENGTHS)
    yield from _each("modernbert", "ModernBertModel", {**BERT, "pad_token_id": 0}, TEXT, LENGTHS, BOTH)
    fixed = ({"batch": 2, "length": 32},)
    yield from _each("fnet", "FNetModel", {**BERT, "pad_token_id": 0}, TOKENS, fixed, ("dynamo",))
    yield from _each("convbert", "ConvBertModel", {**BERT, "embedding_size": 64}, TEXT, LENGTHS)
    yield from _each("squeezebert", "SqueezeBertModel", {**BERT, "embedding_size": 128}, TEXT, LENGTHS)
    yield from _each("esm", "EsmModel", {**BERT, "pad_token_id": 1, "mask_token_id": 2}, TEXT, LENGTHS)


def _decoders() -> Iterator[Model]:
    yield from _each("gpt2", "GPT2LMHeadModel", GPT, TEXT, LENGTHS, BOTH)
    yield from _each("gpt2-cache", "GPT2LMHeadModel", GPT, TOKENS, STEPS, BOTH, cache=CACHE)
    yield from _each("llama", "LlamaForCausalLM", LLAMA, TEXT, LENGTHS, BOTH)
    yield from _each("llama-cache", "LlamaForCausalLM", LLAMA, TOKENS, STEPS, BOTH, cache=GROUPED)
    yield from _each(
        "mistral-cache", "MistralForCausalLM", {**LLAMA, "sliding_window": 16}, TOKENS, ONE_STEP, cache=GROUPED
    )
    yield from _each("qwen2-cache", "Qwen2ForCausalLM", LLAMA, TOKENS, STEPS, cache=GROUPED)
    yield from _each("qwen3-cache", "Qwen3ForCausalLM", {**LLAMA, "head_dim": 32}, TOKENS, STEPS, BOTH, cache=GROUPED)
    yield from _each("gemma-cache", "GemmaForCausalLM", {**LLAMA, "head_dim": 32}, TOKENS, STEPS, cache=GROUPED)
    yield from _each(
        "gemma2", "Gemma2ForCausalLM", {**LLAMA, "head_dim": 32, "sliding_window": 16}, TEXT, LENGTHS, BOTH
    )
    yield from _each("phi3-cache", "Phi3ForCausalLM", {**LLAMA, "pad_token_id": 0}, TOKENS, STEPS, cache=GROUPED)
    yield from _each(
        "bloom",
        "BloomForCausalLM",
        {"vocab_size": VOCABULARY, "hidden_size": 128, "n_layer": 2, "n_head": 4},
        TEXT,
        LENGTHS,
        BOTH,
    )
    opt = {
        "vocab_size": VOCABULARY,
        "hidden_size": 128,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "ffn_dim": 512,
    }
    yield from _each("opt", "OPTForCausalLM", {**opt, "word_embed_proj_dim": 128}, TEXT, LENGTHS)
    yield from _each("gpt-neox", "GPTNeoXForCausalLM", {**BERT, "max_position_embeddings": 256}, TEXT, LENGTHS)
    neo = {
        "hidden_size": 128,
        "num_layers": 2,
        "num_heads": 4,
        "attention_types": [[["global", "local"], 1]],
        "window_size": 16,
    }
    yield from _each("gpt-neo", "GPTNeoForCausalLM", {"vocab_size": VOCABULARY, **neo}, TEXT, LENGTHS)
    falcon = {"vocab_size": VOCABULARY, "hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4}
    yield from _each("falcon", "FalconForCausalLM", falcon, TEXT, LENGTHS)
    mamba = {"vocab_size": VOCABULARY, "hidden_size": 64, "state_size": 16, "num_hidden_layers": 2}
    yield from _each("mamba", "MambaForCausalLM", mamba, TOKENS, ({"batch": 2, "length": 12},))
    mixture = {"num_local_experts": 4, "num_experts_per_tok": 2, "experts_implementation": "batched_mm"}
    yield from _each("mixtral", "MixtralForCausalLM", {**LLAMA, **mixture}, TEXT, LENGTHS)


def _translators() -> Iterator[Model]:
    yield from _each("t5", "T5ForConditionalGeneration", T5, PAIR, PAIR_LENGTHS, BOTH)
    yield from _each("t5-gated", "T5EncoderModel", {**T5, "feed_forward_proj": "gated-gelu"}, TOKENS, LENGTHS)
    yield from _each("bart", "BartForConditionalGeneration", SEQUENCES, PAIR, PAIR_LENGTHS)
    yield from _each("marian", "MarianMTModel", {**SEQUENCES, "decoder_vocab_size": VOCABULARY}, PAIR, PAIR_LENGTHS)
    whisper = {**SEQUENCES, "num_mel_bins": 20, "max_source_positions": 50, "max_target_positions": 64}
    heard = {
        "input_features": numbers("batch", 20, 100),
        "decoder_input_ids": words(VOCABULARY, "batch", "target"),
        "decoder_attention_mask": ones("batch", "target"),
    }
    yield from _each("whisper", "WhisperForConditionalGeneration", whisper, heard, PAIR_LENGTHS, BOTH)


def _pictures() -> Iterator[Model]:
    yield from _classifiers()
    yield from _segmenters()
    yield from _seers()


def _classifiers() -> Iterator[Model]:
    yield from _each("vit", "ViTForImageClassification", VIT, SMALL_PICTURE, IMAGES, BOTH)
    yield from _each(
        "beit", "BeitForImageClassification", {**VIT, "use_relative_position_bias": True}, SMALL_PICTURE, IMAGES
    )
    swin = {"image_size": 64, "patch_size": 4, "embed_dim": 32, "depths": [2, 2], "num_heads": [2, 4], "window_size": 4}
    yield from _each("swin", "SwinForImageClassification", swin, SMALL_PICTURE, IMAGES, BOTH)
    yield from _each("swinv2", "Swinv2ForImageClassification", swin, SMALL_PICTURE, IMAGES)
    yield from _each(
        "convnext",
        "ConvNextForImageClassification",
        {"hidden_sizes": [32, 64], "depths": [2, 2], "num_stages": 2},
        SMALL_PICTURE,
        IMAGES,
    )
    yield from _each(
        "mobilevit",
        "MobileViTForImageClassification",
        {
            "image_size": 64,
            "hidden_sizes": [32, 48, 64],
            "neck_hidden_sizes": [8, 16, 24, 32, 48, 64, 128],
            "initializer_range": 0.3,  # of smaller weights nothing is left after so many convolutions
        },
        SMALL_PICTURE,
        IMAGES,
    )


def _segmenters() -> Iterator[Model]:
    """Models that part pictures, or find what is in them."""
    segformer = {
        "hidden_sizes": [16, 32],
        "depths": [1, 1],
        "num_encoder_blocks": 2,
        "num_attention_heads": [1, 2],
        "sr_ratios": [4, 2],
        "patch_sizes": [7, 3],
        "strides": [4, 2],
        "mlp_ratios": [4, 4],
        "decoder_hidden_size": 64,
    }
    free = {"pixel_values": numbers("batch", 3, "height", "width")}
    areas = ({"batch": 2, "height": 128, "width": 128}, {"batch": 2, "height": 96, "width": 160})
    yield from _each("segformer", "SegformerForSemanticSegmentation", segformer, free, areas, BOTH)
    backbone = {
        "use_timm_backbone": False,
        "backbone": None,
        "use_pretrained_backbone": False,
        "backbone_config": {
            "model_type": "resnet",
            "embedding_size": 16,
            "hidden_sizes": [16, 32],
            "depths": [1, 1],
            "layer_type": "basic",
            "out_features": ["stage2"],
        },
    }
    detr = {
        "d_model": 64,
        "encoder_layers": 1,
        "decoder_layers": 1,
        "encoder_attention_heads": 4,
        "decoder_attention_heads": 4,
        "encoder_ffn_dim": 128,
        "decoder_ffn_dim": 128,
        "num_queries": 10,
    }
    yield from _each("detr", "DetrForObjectDetection", {**detr, **backbone}, PICTURE, IMAGES, BOTH)
    sam = {
        "vision_config": {
            "hidden_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "image_size": 128,
            "patch_size": 16,
            "mlp_dim": 128,
            "window_size": 4,
            "global_attn_indexes": [1],
            "output_channels": 32,
            "num_pos_feats": 16,
        },
        "prompt_encoder_config": {"hidden_size": 32, "image_size": 128, "patch_size": 16, "mask_input_channels": 16},
        "mask_decoder_config": {
            "hidden_size": 32,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "mlp_dim": 64,
            "iou_head_hidden_dim": 32,
        },
    }
    points = {**PICTURE, "input_points": numbers("batch", 1, "points", 2)}
    yield from _each("sam", "SamModel", sam, points, ({"batch": 2, "points": 2}, {"batch": 1, "points": 3}), BOTH)


def _seers() -> Iterator[Model]:
    """Models that hold pictures against words, or tell how far away things are."""
    text = {**BERT, "max_position_embeddings": 77, "eos_token_id": 999}
    clip = {"text_config": text, "vision_config": VIT, "projection_dim": 64}
    yield from _each("clip", "CLIPModel", clip, {**TEXT, **SMALL_PICTURE}, LENGTHS, BOTH)
    yield from _each(
        "dpt",
        "DPTForDepthEstimation",
        {
            **VIT,
            "num_hidden_layers": 4,
            "backbone_out_indices": [0, 1, 2, 3],
            "neck_hidden_sizes": [16, 32, 32, 64],
            "fusion_hidden_size": 32,
            "reassemble_factors": [4, 2, 1, 0.5],
            "is_hybrid": False,
        },
        SMALL_PICTURE,
        IMAGES,
    )


def _sounds() -> Iterator[Model]:
    yield from _each("wav2vec2", "Wav2Vec2ForCTC", WAVES, WAVE, SOUND, BOTH)
    yield from _each("wavlm", "WavLMModel", WAVES, WAVE, SOUND)
    encodec = {
        "num_filters": 8,
        "hidden_size": 32,
        "codebook_size": 64,
        "codebook_dim": 32,
        "upsampling_ratios": [4, 2],
        "num_lstm_layers": 1,
        "target_bandwidths": [1.5],
        "sampling_rate": 1600,
    }
    yield from _each("encodec", "EncodecModel", encodec, {"input_values": numbers("batch", 1, 800)}, IMAGES)


ARCHITECTURES = (*_encoders(), *_decoders(), *_translators(), *_pictures(), *_sounds())
